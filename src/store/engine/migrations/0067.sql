-- A reservation that is not used is released, and one of the account counts for the member that enlarged it. Other keys cannot limit the
-- keys of machines' own commands.

alter table reservation add column unused_since integer; -- null: in use, or not looked at yet
alter table reservation add column warned_at integer; -- that it will be released; null: not warned
alter table reservation add column released_at integer; -- also cancelled then; null: not released
alter table reservation add column enlarged_by text collate binary; -- a member; null: none whom a share limits
alter table api_key add column of_machine integer not null default 0; -- 1: in the file cli.key of a machine
