-- SSH keys, S3 keys, registry credentials and budgets have labels.

alter table ssh_key add column labels text collate binary; -- JSON; null: none
alter table s3_key add column labels text collate binary; -- JSON; null: none
alter table registry_auth add column labels text collate binary; -- JSON; null: none
alter table budget add column labels text collate binary; -- JSON; null: none
