-- A project's rule for Pods that are not used, as JSON; null for none.

alter table project add column idle_rule text;
