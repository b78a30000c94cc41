-- The GPUs of a machine that the operator took out of placement.

alter table replica add column gpu_cordons text not null default '{}'; -- JSON: reasons by UUID
