-- Members sign in with a password and, if they want, one-time codes.

create table password (
  member_id text collate binary not null primary key references member (id),
  account_id text collate binary not null references account (id),
  hash text not null, -- Argon2id with its parameters
  key_id text collate binary references api_key (id), -- of its sessions; null before the first one
  set_at integer not null
) strict;

create table password_reset (
  member_id text collate binary not null primary key references member (id),
  account_id text collate binary not null references account (id),
  hash text collate binary not null,
  remove_totp integer not null,
  expires_at integer not null
) strict;
create unique index password_reset_hash on password_reset (hash);

create table totp (
  member_id text collate binary not null primary key references member (id),
  account_id text collate binary not null references account (id),
  secret text not null, -- sealed
  last_step integer not null, -- of the latest code that was used
  confirmed_at integer -- null: no code has confirmed it
) strict;

create table recovery_code (
  member_id text collate binary not null references member (id),
  account_id text collate binary not null references account (id),
  hash text collate binary not null,
  primary key (member_id, hash)
) strict;

-- Tries to sign in with a password, by member, unknown address or network.
create table sign_in_try (
  subject text collate binary not null primary key,
  tries integer not null,
  ends_at integer not null -- of the window that they count in
) strict;
create index sign_in_try_ends on sign_in_try (ends_at);

create index member_by_email on member (email) where removed_at is null;
alter table session add column by_reset integer not null default 0; -- 1: a reset link began it
