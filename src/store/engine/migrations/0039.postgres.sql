-- Each member, and the account itself, has its SSH keys independently of the others.

alter table ssh_key drop constraint ssh_key_account_id_fingerprint_key;
create unique index ssh_key_of_owner on ssh_key (account_id, coalesce(member_id, ''), fingerprint);
