-- What is recorded of the health of a machine's GPUs: those in quarantine, and their errors.

alter table replica add column gpu_health text not null default '{}'; -- JSON
