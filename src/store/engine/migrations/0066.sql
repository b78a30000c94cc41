-- Calendar programs learn of changed and cancelled reservations.

alter table reservation add column changed_at integer; -- null: as created
alter table reservation add column sequence integer not null default 0; -- of its changes that a calendar shows
alter table reservation add column cancelled_at integer; -- null: not cancelled
create index reservation_cancelled on reservation (account_id, cancelled_at) where cancelled_at is not null;
