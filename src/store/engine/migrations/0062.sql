-- Templates, schedules, secrets, API keys and reservations have labels.

alter table template add column labels text collate binary; -- JSON; null: none
alter table schedule add column labels text collate binary; -- JSON; null: none
alter table secret add column labels text collate binary; -- JSON; null: none
alter table api_key add column labels text collate binary; -- JSON; null: none
alter table reservation add column labels text collate binary; -- JSON; null: none
