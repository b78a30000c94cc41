-- Concurrency keys. A job with a key is held (state DELAYED, held_by concurrency) until a slot of its key is
-- free, and then enters the queue at its end.

alter table job add column concurrency_key text collate binary;
alter table job add column concurrency_limit integer; -- the limit that the job named for its key
alter table job add column held_by text; -- what holds a DELAYED job; null for one that waits for due_at
alter table job add column place integer; -- the newest job's seq when it was admitted; null for its own seq

create table concurrency_key ( -- keys with jobs in the queue or running
  endpoint_id text collate binary not null,
  key text collate binary not null,
  max_jobs integer not null, -- as the newest submission named it
  skipped integer not null default 0, -- 1: a held job was locked when it could have been admitted
  primary key (endpoint_id, key)
) strict;

create index concurrency_key_skipped on concurrency_key (endpoint_id, key) where skipped = 1;

drop index job_ready;
create index job_ready on job (endpoint_id, priority desc, coalesce(place, seq), seq) where state = 'IN_QUEUE';
drop index job_due;
create index job_due on job (due_at) where state = 'DELAYED' and due_at is not null;
create index job_held_by_key on job (endpoint_id, concurrency_key, priority desc, seq)
  where state = 'DELAYED' and held_by = 'concurrency';
create index job_held_expiring on job (ttl_at) where state = 'DELAYED' and held_by is not null;
create index job_admitted on job (endpoint_id, concurrency_key)
  where state in ('IN_QUEUE', 'IN_PROGRESS') and concurrency_key is not null;
