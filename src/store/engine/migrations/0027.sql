-- SSH keys of members, which end with the membership.

alter table ssh_key add column member_id text collate binary references member (id); -- null: a key of the account itself
