-- Load-balancing endpoints: where their workers serve, how healthy they are, and the requests in flight.

alter table worker add column serving text; -- JSON: its ports and health path; null for a queue's worker
alter table worker add column health text; -- JSON: the result of its health checks

-- Requests that a replica forwards or holds. Rows of a replica that ended are removed by their age.
create table request_load (
  endpoint_id text collate binary not null,
  worker_id text collate binary not null, -- empty: held until a worker is ready
  replica text collate binary not null,
  requests integer not null,
  since integer not null, -- when the count was last 0
  reported_at integer not null,
  primary key (worker_id, endpoint_id, replica)
) strict;
create index request_load_endpoint on request_load (endpoint_id);

-- What is stored of a job until it is deleted: its row, input, outputs and chunks. The sum of an endpoint's jobs
-- is in its counters.
alter table job add column bytes integer not null default 0;
alter table tally add column bytes integer not null default 0;
