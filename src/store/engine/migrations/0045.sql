-- Back-channel logout: the provider's session that a sign-in belongs to, and logout tokens, which count once.

alter table sign_in add column provider_session text collate binary; -- null: the provider named none

create index sign_in_of_provider_session on sign_in (issuer, provider_session);

create table used_logout_token (
  hash text collate binary primary key, -- SHA-256 of its issuer and its jti
  expires_at integer not null
) strict;

create index used_logout_token_expires on used_logout_token (expires_at);
