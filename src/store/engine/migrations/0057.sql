-- The GPUs of a machine that the operator offers as shares.

alter table replica add column shared_gpus text not null default '{}'; -- JSON: {"count", "memoryInGb"} by UUID
