-- The counters of jobs in one table. A commit changes an endpoint's counters, its minute and its durations: their rows now
-- lie side by side, on one page instead of three. Views keep the three names for queries.

create table job_count (
  endpoint_id text collate binary not null,
  at integer not null, -- the beginning of the minute; 9007199254740991 for the counters of now, which follow the last minute
  what text collate binary not null, -- now, minute, delay, execution
  size integer not null, -- of a delay or an execution; see domain/job/durations.ts
  slot integer not null, -- always 0 on SQLite; replicas use different ones, so that none waits for another
  n integer, -- of a delay or an execution: how many; the following ones are null there
  in_queue integer, -- of a minute: the change during it, as the next two
  delayed integer,
  in_progress integer,
  completed integer, -- this and the next two include jobs past their retention
  failed integer,
  retried integer,
  bytes integer,
  archived_bytes integer, -- the part of bytes that archived jobs store
  primary key (endpoint_id, at, what, size, slot)
) strict, without rowid;

insert into job_count (endpoint_id, at, what, size, slot, in_queue, delayed, in_progress, completed, failed, retried,
    bytes, archived_bytes)
  select endpoint_id, 9007199254740991, 'now', 0, slot, in_queue, delayed, in_progress, completed, failed, retried,
    bytes, archived_bytes from tally;
insert into job_count (endpoint_id, at, what, size, slot, in_queue, in_progress, completed, failed)
  select endpoint_id, at, 'minute', 0, slot, queued, running, completed, failed from job_minute;
insert into job_count (endpoint_id, at, what, size, slot, n)
  select endpoint_id, at, what, size, slot, n from job_span;

drop table tally;
drop table job_minute;
drop table job_span;

-- No index has a counter, so a commit enters one only with a new row.
create index job_count_now on job_count (endpoint_id) where what = 'now';
create index job_count_by_age on job_count (at) where what <> 'now';

create view tally as
  select endpoint_id, slot, in_queue, delayed, in_progress, completed, failed, retried, bytes, archived_bytes
  from job_count where at = 9007199254740991 and what = 'now';

create view job_minute as
  select endpoint_id, at, slot, in_queue as queued, in_progress as running, completed, failed
  from job_count where what = 'minute';

create view job_span as
  select endpoint_id, at, what, size, slot, n from job_count where what in ('delay', 'execution');

/*+
alter table job_count set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
*/
