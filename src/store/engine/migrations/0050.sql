-- A logout that arrives while its sign-in is being stored refuses that sign-in.

alter table used_logout_token add column issuer text collate binary not null default '';
alter table used_logout_token add column subject text collate binary; -- null: only the session is known
alter table used_logout_token add column provider_session text collate binary; -- null: all of the person's
alter table used_logout_token add column used_at integer not null default 0;
