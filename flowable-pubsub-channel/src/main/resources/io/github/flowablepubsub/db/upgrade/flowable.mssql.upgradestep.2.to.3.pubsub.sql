alter table FLW_PUBSUB_INBOX add WAITING_SINCE_ datetimeoffset(6), ALARMED_AT_ datetimeoffset(6);
update FLW_PUBSUB_INBOX set WAITING_SINCE_ = RECEIVED_AT_, NEXT_ATTEMPT_ = case
        when NEXT_ATTEMPT_ <= dateadd(second, ID_ % 3600, sysdatetimeoffset()) then NEXT_ATTEMPT_
        else dateadd(second, ID_ % 3600, sysdatetimeoffset()) end
    where STATE_ = 'WAITING' and REASON_ <> 'HELD_BACK' and WAITING_SINCE_ is null;
create index FLW_PUBSUB_INBOX_STATE on FLW_PUBSUB_INBOX (STATE_, ID_);
update ACT_GE_PROPERTY set VALUE_ = '3', REV_ = REV_ + 1 where NAME_ = 'pubsub.schema.version';
