-- Each member, and the account itself, has its SSH keys independently of the others.

-- SQLite drops no constraint, so the table is created again.
alter table ssh_key rename to earlier_ssh_key;
create table ssh_key (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  public_key text not null,
  fingerprint text collate binary not null,
  created_at integer not null,
  member_id text collate binary references member (id) -- null: a key of the account itself
) strict;
insert into ssh_key (id, account_id, name, public_key, fingerprint, created_at, member_id)
  select id, account_id, name, public_key, fingerprint, created_at, member_id from earlier_ssh_key;
drop table earlier_ssh_key;

create unique index ssh_key_of_owner on ssh_key (account_id, coalesce(member_id, ''), fingerprint);
