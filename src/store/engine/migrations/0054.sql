-- When the holder of a reservation, and those who run on its GPUs, were last told of it.

alter table reservation add column announced_at integer;
