alter table FLW_PUBSUB_INBOX add column if not exists WAITING_SINCE_ timestamp(6) with time zone;
alter table FLW_PUBSUB_INBOX add column if not exists ALARMED_AT_ timestamp(6) with time zone;
update FLW_PUBSUB_INBOX set WAITING_SINCE_ = RECEIVED_AT_, NEXT_ATTEMPT_ = case
        when NEXT_ATTEMPT_ <= dateadd(second, mod(ID_, 3600), CURRENT_TIMESTAMP) then NEXT_ATTEMPT_
        else dateadd(second, mod(ID_, 3600), CURRENT_TIMESTAMP) end
    where STATE_ = 'WAITING' and REASON_ <> 'HELD_BACK' and WAITING_SINCE_ is null;
create index if not exists FLW_PUBSUB_INBOX_STATE on FLW_PUBSUB_INBOX (STATE_, ID_);
update ACT_GE_PROPERTY set VALUE_ = '3', REV_ = REV_ + 1 where NAME_ = 'pubsub.schema.version';
