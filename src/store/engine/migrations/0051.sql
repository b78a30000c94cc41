-- Reservations: GPUs of a type that are kept free for a member, a project or an account for a time.

create table reservation (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  owner_id text collate binary references member (id), -- who it belongs to; null for the account alone
  project_id text collate binary, -- whom it is for, in place of its owner
  gpu_type_id text not null,
  gpu_count integer not null,
  from_at integer not null,
  until_at integer not null,
  note text not null,
  created_at integer not null
) strict;
create index reservation_until on reservation (until_at);
create index reservation_of_account on reservation (account_id, until_at);
