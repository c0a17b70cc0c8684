create table if not exists rechnung (
    auftrag_id varchar(64) primary key,
    positionen integer not null,
    -- How often the step "Rechnung stellen" was committed: 1, or something was delivered twice.
    aufrufe integer not null
);
