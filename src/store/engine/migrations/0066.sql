-- Calendar programs learn of changed and cancelled reservations, and unused ones are released.

alter table reservation add column changed_at integer; -- null: as created
alter table reservation add column sequence integer not null default 0; -- of its changes that a calendar shows
alter table reservation add column cancelled_at integer; -- null: not cancelled
alter table reservation add column unused_since integer; -- since when its holder uses none of its GPUs; null while it does
alter table reservation add column release_announced_at integer; -- when its holder was last told that it will be released
create index reservation_cancelled on reservation (account_id, cancelled_at) where cancelled_at is not null;
