-- The GPU types of MIG devices that machines have or had, as JSON: the catalog has them beside those of its file.

alter table price_book add column slice_types text not null default '[]';
