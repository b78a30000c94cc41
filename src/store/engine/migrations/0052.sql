-- A Pod may run for a maximum time after its start: by its own maximum, its template's, its project's or its account's.

alter table pod add column max_minutes integer; -- null: no maximum of its own
alter table pod add column max_extendable integer not null default 1;
alter table pod add column template_minutes integer; -- null: no maximum of its template
alter table pod add column running_since integer; -- null: it is not desired to run
alter table pod add column kept_until integer; -- null: it is not kept beyond its maximum
alter table pod add column lifetime_warning text collate binary; -- the last warning, as JSON; null: none
update pod set running_since = changed_at where state = 'RUNNING';

alter table project add column max_minutes integer;
alter table project add column max_extendable integer not null default 1;
alter table account add column max_minutes integer; -- set by the operator
alter table account add column max_extendable integer not null default 1;
