-- A Pod that is handed over counts for each owner from then on; a renamed Pod has the name that it had last.

alter table idle_gpu rename to earlier_idle_gpu;
create table idle_gpu (
  pod_id text collate binary not null,
  day integer not null,
  project_id text collate binary not null, -- the project of its owner then; empty: none
  owner_id text collate binary not null, -- empty: the account alone
  account_id text collate binary not null,
  pod_name text not null, -- as it was last
  measured_ms integer not null, -- what could not be measured is in neither
  idle_ms integer not null,
  added_at integer not null,
  primary key (pod_id, day, project_id, owner_id)
) strict;
insert into idle_gpu
    (pod_id, day, project_id, owner_id, account_id, pod_name, measured_ms, idle_ms, added_at)
  select pod_id, day, project_id, coalesce(owner_id, ''), account_id, pod_name, measured_ms, idle_ms, day
  from earlier_idle_gpu;
drop table earlier_idle_gpu;

create index idle_gpu_by_day on idle_gpu (day);
