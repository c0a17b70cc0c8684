create table FLW_PUBSUB_INBOX (
    ID_ bigint not null auto_increment primary key,
    CHANNEL_KEY_ varchar(255) not null,
    CHANNEL_TENANT_ID_ varchar(255) default '' not null,
    TENANT_ID_ varchar(255) default '' not null,
    MESSAGE_ID_ varchar(255) not null,
    DEDUP_KEY_ varchar(255),
    BODY_HASH_ varchar(64) not null,
    EVENT_KEY_ varchar(100),
    CORRELATION_KEY_ varchar(255),
    ORDER_KEY_ varchar(100) not null,
    STATE_ varchar(16) character set ascii collate ascii_bin not null,
    REASON_ varchar(64) character set ascii collate ascii_bin,
    ATTEMPTS_ integer default 0 not null,
    NEXT_ATTEMPT_ timestamp(6) null,
    EXPIRES_AT_ timestamp(6) null,
    FAILED_SINCE_ timestamp(6) null,
    LAST_ERROR_ varchar(4000),
    PAYLOAD_ longtext,
    PAYLOAD_BYTES_ longblob,
    ATTRIBUTES_ longtext not null,
    ORDERING_KEY_ varchar(1024),
    PUBLISHED_AT_ timestamp(6) not null,
    RECEIVED_AT_ timestamp(6) not null,
    FINISHED_AT_ timestamp(6) null,
    CLEARED_ smallint default 0 not null,
    DUPLICATES_ integer default 0 not null,
    JOB_ID_ varchar(64),
    FINISHED_BY_ varchar(255)
) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin;
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
create index FLW_PUBSUB_INBOX_KEY on FLW_PUBSUB_INBOX (CORRELATION_KEY_, ID_);
create index FLW_PUBSUB_INBOX_DONE on FLW_PUBSUB_INBOX
    (CHANNEL_KEY_, CHANNEL_TENANT_ID_, CLEARED_, FINISHED_AT_);

create table FLW_PUBSUB_LANE (
    CHANNEL_KEY_ varchar(255) not null,
    CHANNEL_TENANT_ID_ varchar(255) default '' not null,
    ORDER_KEY_ varchar(100) not null,
    CREATED_AT_ timestamp(6) default CURRENT_TIMESTAMP(6) not null,
    primary key (CHANNEL_KEY_, CHANNEL_TENANT_ID_, ORDER_KEY_)
) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin;

create table FLW_PUBSUB_DEDUP (
    CHANNEL_KEY_ varchar(255) not null,
    CHANNEL_TENANT_ID_ varchar(255) default '' not null,
    DEDUP_KEY_ varchar(255) not null,
    MESSAGE_ID_ varchar(255) not null,
    primary key (CHANNEL_KEY_, CHANNEL_TENANT_ID_, DEDUP_KEY_)
) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin;

create table FLW_PUBSUB_MATCH_KEY (
    INBOX_ID_ bigint not null,
    EVENT_KEY_ varchar(255) not null,
    CONFIGURATION_ varchar(255) not null,
    primary key (INBOX_ID_, CONFIGURATION_)
) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin;
create index FLW_PUBSUB_MATCH_KEY_CONF on FLW_PUBSUB_MATCH_KEY (EVENT_KEY_, CONFIGURATION_, INBOX_ID_);

insert into ACT_GE_PROPERTY (NAME_, VALUE_, REV_) values ('pubsub.schema.version', '2', 1);
