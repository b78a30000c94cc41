-- Retry policies and delayed jobs. A job in state DELAYED waits for its instant; then it enters its queue.

alter table job add column retry text; -- its retry policy as JSON; null for one more dispatch after a loss
alter table job add column start_at integer; -- the earliest start that its client chose
alter table job add column due_at integer; -- when a delayed job enters its queue
alter table job add column ended_workers integer not null default 0; -- workers that ended while they had it
create index job_due on job (due_at) where state = 'DELAYED';
create index job_delayed on job (endpoint_id, seq) where state = 'DELAYED';
alter table tally add column delayed integer not null default 0;
