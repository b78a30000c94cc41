-- Bulk retries: operations that retry every failed job that matches a filter.

create table job_retry (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  filter text not null, -- JSON
  state text collate binary not null, -- RUNNING, COMPLETED or CANCELLED
  last_seq integer not null, -- jobs that were submitted later are not part of it
  cursor_seq integer not null, -- every job up to this one has been dealt with
  total integer, -- how many jobs matched at its start; null until they are counted
  retried integer not null,
  created_at integer not null,
  finished_at integer
) strict;
create index job_retry_of_account on job_retry (account_id, created_at);
create index job_retry_running on job_retry (created_at) where state = 'RUNNING';
