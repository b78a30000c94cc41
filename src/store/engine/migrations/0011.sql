-- Failed jobs that are kept beyond their retention, hidden from the queue's clients, so that they can be retried.

alter table job add column archived_until integer; -- when an archived job is deleted; null for any other
alter table tally add column archived_bytes integer not null default 0; -- the part of bytes that archived jobs store
drop index job_forgettable;
create index job_forgettable on job (forget_at) where forget_at is not null and archived_until is null;
create index job_archived on job (archived_until) where archived_until is not null;
create index job_archived_of on job (endpoint_id, seq) where archived_until is not null;
