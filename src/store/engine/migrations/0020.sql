-- Rate limits per key. A job with a rate limit is held (state DELAYED, held_by rate) until the pace of its key
-- lets it enter the queue. A job that has a concurrency key as well has a slot of it by then.

alter table job add column rate_key text collate binary;
alter table job add column rate_pace text; -- JSON: the limit, period and burst that the job named for its key

create table rate_key ( -- keys with held jobs, or whose pace is not yet used up
  endpoint_id text collate binary not null,
  key text collate binary not null,
  pace text not null, -- as the newest submission named it
  next_us integer not null, -- when the pace of the admitted jobs is used up, in microseconds
  due_at integer not null, -- when its next held job enters; without one, when the row may be deleted
  primary key (endpoint_id, key)
) strict;

create index rate_key_due on rate_key (due_at);

create index job_held_by_rate on job (endpoint_id, rate_key, priority desc, seq)
  where state = 'DELAYED' and held_by = 'rate';
drop index job_admitted;
create index job_admitted on job (endpoint_id, concurrency_key)
  where concurrency_key is not null and (state in ('IN_QUEUE', 'IN_PROGRESS') or state = 'DELAYED' and held_by = 'rate');
