-- The GPU types that the catalog's file does not have and the operator gave a price, now or before, as JSON: what they are
-- called, and their memory.

alter table price_book add column own_types text not null default '[]';
