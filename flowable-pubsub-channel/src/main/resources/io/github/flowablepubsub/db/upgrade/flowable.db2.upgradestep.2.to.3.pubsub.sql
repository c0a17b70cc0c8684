create index FLW_PUBSUB_INBOX_STATE on FLW_PUBSUB_INBOX (STATE_, ID_);
update ACT_GE_PROPERTY set VALUE_ = '3', REV_ = REV_ + 1 where NAME_ = 'pubsub.schema.version';
