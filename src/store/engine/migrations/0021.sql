-- Batches: many jobs in one call. A loop turns the items into jobs; the batch's webhook is called once all have ended.

create table batch (
  seq integer primary key autoincrement,
  id text collate binary not null unique,
  account_id text collate binary not null references account (id),
  endpoint_id text collate binary not null references endpoint (id),
  state text collate binary not null, -- PENDING, RUNNING, CANCELLING, COMPLETED or CANCELLED
  total integer not null, -- how many items it has
  submitted integer not null, -- how many of them, from the first, became jobs
  items text, -- the JSON array as the client wrote it, or a payload; neither once no item is left to submit
  items_payload text collate binary,
  bytes integer not null, -- of the items
  webhook text,
  trace text,
  reason text, -- why it was cancelled, if no client cancelled it
  created_at integer not null,
  finished_at integer,
  deleted_completed integer not null default 0, -- its jobs that are deleted, by the state that they ended in
  deleted_failed integer not null default 0,
  deleted_cancelled integer not null default 0,
  deleted_timed_out integer not null default 0
) strict;
create index batch_of_account on batch (account_id, seq);
create index batch_unfinished on batch (seq) where finished_at is null;
create index batch_finished on batch (finished_at) where finished_at is not null;

alter table job add column batch_id text collate binary;
alter table job add column batch_index integer; -- the item's position in its batch, from 0
create index job_of_batch on job (batch_id, seq) where batch_id is not null;
create index job_of_batch_by_state on job (batch_id, state) where batch_id is not null;

create table batch_delivery (
  batch_seq integer not null,
  n integer not null, -- 1 for the first delivery, more when redelivered
  endpoint_id text collate binary not null,
  message text not null, -- the id that the receiver sees; a redelivery keeps it
  url text not null,
  state text not null, -- waiting, delivered, failed
  tries integer not null default 0,
  due_at integer,
  created_at integer not null,
  primary key (batch_seq, n)
) strict, without rowid;
create index batch_delivery_due on batch_delivery (endpoint_id, due_at) where state = 'waiting';

create table batch_delivery_try (
  batch_seq integer not null,
  n integer not null,
  try integer not null,
  at integer not null,
  status integer,
  error text,
  took_ms integer not null,
  primary key (batch_seq, n, try)
) strict, without rowid;
