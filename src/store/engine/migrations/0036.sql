-- The member that each thing belongs to. An endpoint belongs to the member of the key that created it.

alter table endpoint add column owner_id text collate binary; -- null, here and below: the account alone
alter table template add column owner_id text collate binary;
alter table network_volume add column owner_id text collate binary;
alter table secret add column owner_id text collate binary;
alter table registry_auth add column owner_id text collate binary;
alter table schedule add column owner_id text collate binary;
update endpoint set owner_id = (select member_id from api_key where api_key.id = endpoint.key_id);
update template set owner_id = (select owner_id from endpoint where endpoint.id = template.bound_to)
  where bound_to is not null;
