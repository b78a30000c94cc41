-- Flash: apps, their environments and builds, uploads of archives, and device logins.

create table flash_app (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text collate binary not null,
  created_at integer not null,
  unique (account_id, name)
) strict;

create table flash_environment (
  id text collate binary primary key,
  app_id text collate binary not null references flash_app (id),
  name text collate binary not null,
  created_at integer not null,
  unique (app_id, name)
) strict;
