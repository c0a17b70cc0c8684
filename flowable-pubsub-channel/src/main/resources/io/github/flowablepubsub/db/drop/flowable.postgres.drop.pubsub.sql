drop table FLW_PUBSUB_MATCH_KEY;
drop table FLW_PUBSUB_DEDUP;
drop table FLW_PUBSUB_LANE;
drop table FLW_PUBSUB_INBOX;
delete from ACT_GE_PROPERTY where NAME_ = 'pubsub.schema.version';
