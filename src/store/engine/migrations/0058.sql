-- Guarantees: GPUs of a type that a project may use at any time.

create table guarantee (
  account_id text collate binary not null references account (id),
  project_id text collate binary not null,
  gpu_type_id text collate binary not null,
  gpu_count integer not null,
  primary key (project_id, gpu_type_id)
) strict;
