-- A Pod may be stopped when it is not used: its rule as JSON, and since when it counts as idle.

alter table pod add column idle_rule text collate binary; -- null: none
alter table pod add column idle_since integer; -- null: it is used
