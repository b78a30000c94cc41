-- What a worker says about its start with its first call: when its process began, and when the handler's module was
-- loaded. Null where it does not say so.

alter table worker add column process_at integer;
alter table worker add column loaded_at integer;
