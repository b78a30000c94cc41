-- Commands in a sandbox that overlap, through whichever replica each runs, are known one by one: the end of one leaves the limits of
-- the others.

alter table sandbox add column commands_until text collate binary not null default '[]'; -- JSON: when each command that may still run ends at the latest
