-- Where a session's browser signed in from, so that its owner recognizes it; empty for earlier sessions.

alter table session add column address text not null default '';
