-- How long each Pod held its GPUs, and how long of that idle: milliseconds times GPUs, by the day in UTC.

create table idle_gpu (
  pod_id text collate binary not null,
  day integer not null,
  project_id text collate binary not null, -- the project of its owner then; empty: none
  account_id text collate binary not null,
  owner_id text collate binary, -- null: the account alone
  pod_name text not null,
  measured_ms integer not null, -- what could not be measured is in neither
  idle_ms integer not null,
  primary key (pod_id, day, project_id)
) strict;

create index idle_gpu_by_day on idle_gpu (day);
