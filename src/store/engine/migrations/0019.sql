-- Schedules, which submit jobs at the instants of a cron expression, and their latest runs.

create table schedule (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  endpoint_id text collate binary not null references endpoint (id),
  name text not null,
  spec text not null, -- JSON
  input text not null, -- JSON as the client wrote it
  paused_at integer,
  next_run_at integer, -- null while it is paused, and when no instant is left
  last_run_at integer, -- the latest instant that was dealt with
  runs integer not null, -- how many runs it has had
  revision integer not null, -- rises with every change
  created_at integer not null
) strict;
create index schedule_of_account on schedule (account_id, created_at);
create index schedule_of_endpoint on schedule (endpoint_id);
create index schedule_due on schedule (next_run_at) where next_run_at is not null;

create table schedule_run (
  schedule_id text collate binary not null references schedule (id),
  n integer not null,
  trigger_kind text collate binary not null, -- SCHEDULE or MANUAL
  scheduled_at integer not null,
  started_at integer not null,
  outcome text collate binary not null, -- SUBMITTED, SKIPPED or FAILED
  job_id text collate binary, -- the job may be deleted before the run
  reason text, -- why it submitted no job
  primary key (schedule_id, n)
) strict, without rowid;
