-- Indexes for lists of jobs: those of an endpoint, and those that did not complete.

create index job_of_endpoint on job (endpoint_id, seq);

create index job_unsuccessful on job (endpoint_id, state, seq)
  where state in ('FAILED', 'TIMED_OUT', 'CANCELLED');
