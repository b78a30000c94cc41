-- The instants of a worker's start, beside created_at, started_at and ready_at. Null where none is known.

alter table worker add column launched_at integer; -- when its machine began to start it
alter table worker add column models_at integer; -- when its models were on the machine
alter table worker add column pulling_at integer; -- when its engine began to pull the image
alter table worker add column image_at integer; -- when its engine had the image
alter table worker add column first_job_at integer; -- when it took its first job
