-- A bill reads the usages of its time: those that ended in it or up to a week after it, those of more than a week that
-- ended later, and the open ones.

create index usage_ended on usage (account_id, kind, ended_at, id) where ended_at is not null;
create index usage_long on usage (account_id, kind, ended_at, id) where ended_at - began_at > 604800000;
drop index usage_by_account;
