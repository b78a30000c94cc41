-- The counts of an ended batch, so that a list of batches need not count their jobs. Older batches are counted.

alter table batch add column end_counts text; -- JSON; null until its end, and once a job of it is retried
