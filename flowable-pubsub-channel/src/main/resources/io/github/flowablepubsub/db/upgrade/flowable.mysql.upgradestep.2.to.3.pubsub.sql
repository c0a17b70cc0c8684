alter table FLW_PUBSUB_INBOX add column WAITING_SINCE_ timestamp(6) null, add column ALARMED_AT_ timestamp(6) null;
update FLW_PUBSUB_INBOX set WAITING_SINCE_ = RECEIVED_AT_, NEXT_ATTEMPT_ = case
        when NEXT_ATTEMPT_ <= CURRENT_TIMESTAMP(6) + interval mod(ID_, 3600) second then NEXT_ATTEMPT_
        else CURRENT_TIMESTAMP(6) + interval mod(ID_, 3600) second end
    where STATE_ = 'WAITING' and REASON_ <> 'HELD_BACK' and WAITING_SINCE_ is null;
create index FLW_PUBSUB_INBOX_STATE on FLW_PUBSUB_INBOX (STATE_, ID_);
update ACT_GE_PROPERTY set VALUE_ = '3', REV_ = REV_ + 1 where NAME_ = 'pubsub.schema.version';
