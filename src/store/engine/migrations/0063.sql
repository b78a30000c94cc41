-- The load of machines in intervals of five minutes, kept for days.

create table machine_load (
  machine text collate binary not null,
  at integer not null, -- the beginning of the interval
  load text not null, -- JSON
  primary key (machine, at)
) strict;

create index machine_load_at on machine_load (at);
