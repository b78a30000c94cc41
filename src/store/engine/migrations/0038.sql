-- Sign-in with an OpenID Connect provider.

-- The member that a person of the provider is in an account.
create table provider_identity (
  issuer text collate binary not null,
  subject text collate binary not null, -- the person's id at the provider
  account_id text collate binary not null references account (id),
  member_id text collate binary not null references member (id),
  created_at integer not null,
  primary key (issuer, subject, account_id)
) strict;

create index provider_identity_of_member on provider_identity (member_id);

-- API keys depend on a sign-in, and end when the provider withdraws it.
create table sign_in (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  member_id text collate binary not null references member (id),
  key_id text collate binary not null references api_key (id), -- the key of the browser's session
  issuer text collate binary not null,
  subject text collate binary not null,
  refresh_token text collate binary, -- sealed; null: the provider cannot be asked again
  created_at integer not null,
  next_check_at integer not null -- when the provider is asked again
) strict;

create index sign_in_next_check on sign_in (next_check_at);
create index sign_in_of_member on sign_in (member_id);
create index sign_in_of_person on sign_in (issuer, subject);

-- A sign-in at the provider is completed once.
create table used_sign_in (
  hash text collate binary primary key, -- SHA-256 of its state
  expires_at integer not null
) strict;

create index used_sign_in_expires on used_sign_in (expires_at);

alter table api_key add column sign_in_id text collate binary; -- null: the key depends on none

create index api_key_of_sign_in on api_key (sign_in_id) where sign_in_id is not null;
