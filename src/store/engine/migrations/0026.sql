-- Indexes that answer their queries alone. Without that, SQLite searched among all kept jobs of an endpoint.

-- The queued and the running jobs of low priority.
drop index job_low;
create index job_low on job (endpoint_id, state) where low_priority = 1 and state in ('IN_QUEUE', 'IN_PROGRESS');

drop index job_archived_of;
create index job_archived_of on job (endpoint_id, seq, archived_until) where archived_until is not null;
