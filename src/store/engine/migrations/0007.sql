-- Device logins: a client without a key asks for one, and a signed-in person approves it.

create table device_login (
  hash text collate binary primary key, -- SHA-256 of the id, which opens the login
  state text collate binary not null, -- PENDING, APPROVED, DENIED or CONSUMED
  address text not null,
  agent text not null,
  created_at integer not null,
  expires_at integer not null,
  account_id text collate binary, -- of the approver; null until approved
  key_id text collate binary, -- the approver's key
  name text -- of the new key
) strict;

create index device_login_expires on device_login (expires_at);
