-- Calendar feeds of reservations: one for each member, and one for the account alone.

create table reservation_feed (
  hash text collate binary primary key, -- SHA-256 of the token in its address, hexadecimal
  account_id text collate binary not null references account (id),
  owner_id text collate binary references member (id), -- who it belongs to; null for the account alone
  created_at integer not null
) strict;
create index reservation_feed_of_account on reservation_feed (account_id, owner_id);
