-- Indexes for the filters of the audit log, each in the order of its pages.

drop index audit_of_account;
create index audit_of_account on audit (account_id, at, seq);
create index audit_of_key on audit (account_id, key_id, at, seq);
create index audit_of_operation on audit (account_id, operation, at, seq);
create index audit_of_resource on audit (account_id, resource_id, at, seq);
