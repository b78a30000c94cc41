-- Flash builds: archives that clients upload, and the active one of each environment.

create table flash_build (
  id text collate binary primary key,
  app_id text collate binary not null references flash_app (id),
  size integer not null,
  manifest text, -- JSON; null until the upload is finalized
  created_at integer not null,
  expires_at integer not null -- of the upload
) strict;
create index flash_build_app on flash_build (app_id);

alter table flash_environment add column active_build_id text collate binary;
