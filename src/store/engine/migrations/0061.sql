-- Budgets of labels sum what had the label, with the usages that are open.

create index usage_labeled on usage (account_id, ended_at) where labels is not null and ended_at is not null;
