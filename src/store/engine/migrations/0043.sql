-- Labels, as JSON; null for none. A usage has those of its resource and its owner at that time.

alter table pod add column labels text;
alter table endpoint add column labels text;
alter table network_volume add column labels text;
alter table usage add column labels text;
alter table usage add column owner_id text collate binary;

update pod set labels = (select sandbox.labels from sandbox where sandbox.id = pod.id and sandbox.labels <> '{}')
where sandbox = 1;

-- Of use before this migration, only the present owner is known.
update usage set
  labels = (select pod.labels from pod where pod.id = usage.resource_id),
  owner_id = (select pod.owner_id from pod where pod.id = usage.resource_id)
where kind in ('pod', 'cluster', 'sandbox');

update usage set owner_id = (select endpoint.owner_id from endpoint where endpoint.id = usage.endpoint_id)
where kind = 'worker';

update usage set owner_id = (select network_volume.owner_id from network_volume where network_volume.id = usage.resource_id)
where kind = 'volume';
