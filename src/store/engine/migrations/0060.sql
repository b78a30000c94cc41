-- Share over time: what projects have used of GPUs, decayed, decides the order of the line.

alter table usage add column gpus integer not null default 0; -- of its GPU type, while it runs

update usage set gpus = coalesce((select length(gpus) - length(replace(gpus, ',', '')) + 1 from pod
    where pod.id = usage.resource_id and gpus <> ''),
  (select length(gpus) - length(replace(gpus, ',', '')) + 1 from worker
    where worker.id = usage.resource_id and gpus <> ''), 0)
  where ended_at is null and running = 1 and gpu_type_id <> '';

create index usage_gpu_ended on usage (ended_at) where ended_at is not null and gpus > 0;

alter table project add column weight integer not null default 1;

create table gpu_use (
  account_id text collate binary not null references account (id),
  project_id text collate binary not null, -- empty for what is in none
  gpu_ms integer not null, -- up to the instant of the setting "gpu_use.folded_at"
  primary key (account_id, project_id)
) strict;
