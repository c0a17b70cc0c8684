create table FLW_PUBSUB_INBOX (
    ID_ bigint identity primary key,
    CHANNEL_KEY_ nvarchar(255) collate Latin1_General_100_BIN2 not null,
    CHANNEL_TENANT_ID_ nvarchar(255) collate Latin1_General_100_BIN2 default '' not null,
    TENANT_ID_ nvarchar(255) collate Latin1_General_100_BIN2 default '' not null,
    MESSAGE_ID_ nvarchar(255) collate Latin1_General_100_BIN2 not null,
    DEDUP_KEY_ nvarchar(255) collate Latin1_General_100_BIN2,
    BODY_HASH_ varchar(64) not null,
    EVENT_KEY_ nvarchar(100) collate Latin1_General_100_BIN2,
    CORRELATION_KEY_ nvarchar(255) collate Latin1_General_100_BIN2,
    ORDER_KEY_ nvarchar(100) collate Latin1_General_100_BIN2 not null,
    STATE_ varchar(16) not null,
    REASON_ varchar(64),
    ATTEMPTS_ int default 0 not null,
    NEXT_ATTEMPT_ datetimeoffset(6),
    EXPIRES_AT_ datetimeoffset(6),
    FAILED_SINCE_ datetimeoffset(6),
    LAST_ERROR_ nvarchar(4000),
    PAYLOAD_ nvarchar(max),
    PAYLOAD_BYTES_ varbinary(max),
    ATTRIBUTES_ nvarchar(max) not null,
    ORDERING_KEY_ nvarchar(1024),
    PUBLISHED_AT_ datetimeoffset(6) not null,
    RECEIVED_AT_ datetimeoffset(6) not null,
    FINISHED_AT_ datetimeoffset(6),
    CLEARED_ smallint default 0 not null,
    DUPLICATES_ int default 0 not null,
    JOB_ID_ varchar(64),
    FINISHED_BY_ nvarchar(255) collate Latin1_General_100_BIN2,
    WAITING_SINCE_ datetimeoffset(6),
    ALARMED_AT_ datetimeoffset(6)
);
create unique index FLW_PUBSUB_INBOX_MESSAGE on FLW_PUBSUB_INBOX (CHANNEL_KEY_, CHANNEL_TENANT_ID_, MESSAGE_ID_);
create index FLW_PUBSUB_INBOX_LANE on FLW_PUBSUB_INBOX
    (CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, ORDER_KEY_, PUBLISHED_AT_, ID_);
create index FLW_PUBSUB_INBOX_WAIT on FLW_PUBSUB_INBOX
    (CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, ORDER_KEY_, EVENT_KEY_, PUBLISHED_AT_, ID_);
create index FLW_PUBSUB_INBOX_WALK on FLW_PUBSUB_INBOX (STATE_, REASON_, ID_);
create index FLW_PUBSUB_INBOX_JOB on FLW_PUBSUB_INBOX
    (STATE_, JOB_ID_, CHANNEL_KEY_, CHANNEL_TENANT_ID_, ID_);
create index FLW_PUBSUB_INBOX_DUE on FLW_PUBSUB_INBOX
    (CHANNEL_KEY_, CHANNEL_TENANT_ID_, STATE_, NEXT_ATTEMPT_);
create index FLW_PUBSUB_INBOX_STATE on FLW_PUBSUB_INBOX (STATE_, ID_);
create index FLW_PUBSUB_INBOX_KEY on FLW_PUBSUB_INBOX (CORRELATION_KEY_, ID_);
create index FLW_PUBSUB_INBOX_DONE on FLW_PUBSUB_INBOX
    (CHANNEL_KEY_, CHANNEL_TENANT_ID_, CLEARED_, FINISHED_AT_);

create table FLW_PUBSUB_LANE (
    CHANNEL_KEY_ nvarchar(255) collate Latin1_General_100_BIN2 not null,
    CHANNEL_TENANT_ID_ nvarchar(255) collate Latin1_General_100_BIN2 default '' not null,
    ORDER_KEY_ nvarchar(100) collate Latin1_General_100_BIN2 not null,
    CREATED_AT_ datetimeoffset(6) default sysdatetimeoffset() not null,
    primary key nonclustered (CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_)
);

create table FLW_PUBSUB_DEDUP (
    CHANNEL_KEY_ nvarchar(255) collate Latin1_General_100_BIN2 not null,
    CHANNEL_TENANT_ID_ nvarchar(255) collate Latin1_General_100_BIN2 default '' not null,
    DEDUP_KEY_ nvarchar(255) collate Latin1_General_100_BIN2 not null,
    MESSAGE_ID_ nvarchar(255) collate Latin1_General_100_BIN2 not null,
    primary key nonclustered (CHANNEL_KEY_, CHANNEL_TENANT_ID_, DEDUP_KEY_)
);

create table FLW_PUBSUB_MATCH_KEY (
    INBOX_ID_ bigint not null,
    EVENT_KEY_ nvarchar(255) collate Latin1_General_100_BIN2 not null,
    CONFIGURATION_ nvarchar(255) collate Latin1_General_100_BIN2 not null,
    primary key (INBOX_ID_, CONFIGURATION_)
);
create index FLW_PUBSUB_MATCH_KEY_CONF on FLW_PUBSUB_MATCH_KEY (EVENT_KEY_, CONFIGURATION_, INBOX_ID_);

insert into ACT_GE_PROPERTY (NAME_, VALUE_, REV_) values ('pubsub.schema.version', '3', 1);
