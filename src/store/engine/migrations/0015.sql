-- Bulk retries become operations on all jobs that match a filter, which retry or cancel them.

drop table job_retry;

create table job_operation (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  action text collate binary not null, -- retry or cancel
  filter text not null, -- JSON
  state text collate binary not null, -- RUNNING, COMPLETED or CANCELLED
  last_seq integer not null, -- jobs that were submitted later are not part of it
  cursor_seq integer not null, -- every job up to this one has been dealt with
  total integer, -- how many jobs matched at its start; null until they are counted
  done integer not null, -- how many it has changed
  created_at integer not null,
  finished_at integer
) strict;
create index job_operation_of_account on job_operation (account_id, created_at);
create index job_operation_running on job_operation (created_at) where state = 'RUNNING';
