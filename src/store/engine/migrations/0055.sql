-- Pods, members, projects and labels that are exempt from stops for being idle and from maximum lifetimes.

alter table account add column exemptions text collate binary; -- JSON; null: none
alter table account add column exemptions_end integer; -- when the first of them ends; null: none does
create index account_exemptions_ending on account (exemptions_end) where exemptions_end is not null;
