alter table FLW_PUBSUB_INBOX alter column NEXT_ATTEMPT_ drop not null;
alter table FLW_PUBSUB_INBOX add column if not exists CLEARED_ smallint default 0 not null;
update FLW_PUBSUB_INBOX set NEXT_ATTEMPT_ = null where STATE_ = 'WAITING' and REASON_ = 'HELD_BACK';
create index if not exists FLW_PUBSUB_INBOX_KEY on FLW_PUBSUB_INBOX (CORRELATION_KEY_, ID_);
create index if not exists FLW_PUBSUB_INBOX_DONE on FLW_PUBSUB_INBOX
    (CHANNEL_KEY_, CHANNEL_TENANT_ID_, CLEARED_, FINISHED_AT_) where FINISHED_AT_ is not null;
create index if not exists FLW_PUBSUB_INBOX_HELD on FLW_PUBSUB_INBOX
    (CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_, STATE_, PUBLISHED_AT_, ID_)
    where STATE_ in ('WAITING', 'PARKED') and ORDER_KEY_ is not null;
create index if not exists FLW_PUBSUB_INBOX_WALK on FLW_PUBSUB_INBOX (REASON_, ID_)
    where STATE_ = 'WAITING' and REASON_ is not null;
create index if not exists FLW_PUBSUB_INBOX_BARE on FLW_PUBSUB_INBOX
    (CHANNEL_KEY_, CHANNEL_TENANT_ID_, JOB_ID_, ID_) where STATE_ = 'PARKED' and JOB_ID_ is null;
create index if not exists FLW_PUBSUB_INBOX_JOB on FLW_PUBSUB_INBOX (STATE_, JOB_ID_) where JOB_ID_ is not null;
drop index if exists FLW_PUBSUB_INBOX_DUE;
create index FLW_PUBSUB_INBOX_DUE on FLW_PUBSUB_INBOX
    (CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, NEXT_ATTEMPT_)
    where STATE_ in ('OPEN', 'WAITING') and NEXT_ATTEMPT_ is not null;
drop index if exists FLW_PUBSUB_INBOX_LANE;
create index FLW_PUBSUB_INBOX_LANE on FLW_PUBSUB_INBOX
    (CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_, STATE_, PUBLISHED_AT_, ID_)
    where STATE_ = 'OPEN' and ORDER_KEY_ is not null;
drop index if exists FLW_PUBSUB_INBOX_WAIT;
create index FLW_PUBSUB_INBOX_WAIT on FLW_PUBSUB_INBOX
    (CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_, EVENT_KEY_, PUBLISHED_AT_, ID_)
    where STATE_ = 'WAITING' and ORDER_KEY_ is not null;
drop index if exists FLW_PUBSUB_INBOX_EVENT;
drop index if exists FLW_PUBSUB_MATCH_KEY_CONF;
create index FLW_PUBSUB_MATCH_KEY_CONF on FLW_PUBSUB_MATCH_KEY (EVENT_KEY_, CONFIGURATION_, INBOX_ID_);
alter table FLW_PUBSUB_LANE add column if not exists
    CREATED_AT_ timestamp(6) with time zone default CURRENT_TIMESTAMP not null;
create table if not exists FLW_PUBSUB_DEDUP (
    CHANNEL_KEY_ varchar(255) not null,
    CHANNEL_TENANT_ID_ varchar(255) default '' not null,
    DEDUP_KEY_ varchar(255) not null,
    MESSAGE_ID_ varchar(255) not null,
    primary key (CHANNEL_KEY_, CHANNEL_TENANT_ID_, DEDUP_KEY_)
);
update ACT_GE_PROPERTY set VALUE_ = '2', REV_ = REV_ + 1 where NAME_ = 'pubsub.schema.version';
