-- What an engine said when a start failed, for operators.

alter table pod add column trouble_engine text collate binary; -- null: nothing
