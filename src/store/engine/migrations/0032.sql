-- The member that a Pod belongs to. A Pod that exists belongs to the member of the key that created it.

alter table pod add column owner_id text collate binary; -- null: the account alone
update pod set owner_id = (select member_id from api_key where api_key.id = pod.key_id);
