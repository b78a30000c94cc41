-- What an account, its members by default, or one member may hold at once.

create table quota (
  account_id text collate binary not null references account (id),
  scope text collate binary not null, -- account, members, member
  member_id text collate binary not null, -- of the scope member; empty for the others
  limits text not null, -- in JSON
  primary key (account_id, scope, member_id)
) strict;
