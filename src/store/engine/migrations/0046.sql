-- Requests for Pods that wait in line for room, and those that had to leave it and say why.

create table queued_pod (
  id text collate binary primary key, -- the Pod's, once it is created
  account_id text collate binary not null references account (id),
  owner_id text collate binary references member (id),
  key_id text collate binary not null,
  queued_at integer not null,
  request text not null, -- in JSON
  waiting text not null, -- what it waits for, in JSON
  refusal text, -- why it left the line; null while it waits
  refused_at integer
) strict;
create index queued_pod_of_account on queued_pod (account_id, owner_id);
create index queued_pod_waiting on queued_pod (queued_at, id) where refused_at is null;
create index queued_pod_refused on queued_pod (refused_at) where refused_at is not null;
