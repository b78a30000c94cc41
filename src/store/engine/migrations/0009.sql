-- The log lines of jobs, and the index that finds the jobs of a worker.

create table job_log (
  job_seq integer not null,
  n integer not null, -- how many lines the job printed before this piece
  worker_id text collate binary not null,
  lines integer not null,
  chars integer not null, -- characters of text
  text text not null, -- JSON, see domain/log/job-lines.ts
  primary key (job_seq, n)
) strict;

create table job_log_mark (
  worker_id text collate binary primary key,
  mark text not null, -- the last line of the worker's log that is stored with its job
  at integer not null
) strict;

create index job_of_worker on job (worker_id, seq) where worker_id is not null;
