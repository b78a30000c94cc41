-- Fabrics: private networks between machines, over which clusters span several of them.

create table fabric (
  name text collate binary primary key,
  leader text collate binary not null, -- the machine whose engine manages its networks
  manager text, -- JSON of FabricManager with a sealed token; null until the engine is ready
  created_at integer not null
) strict;

create table fabric_machine (
  machine text collate binary primary key,
  fabric text collate binary not null,
  trouble text -- why its engine is not part of the fabric; null if it is
) strict;
