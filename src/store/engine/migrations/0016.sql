-- Notifications: rules, the events that wait for a message, the messages, and their deliveries.

create table notification_rule (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  enabled integer not null, -- 0 or 1
  events text not null, -- JSON: the kinds of events
  endpoint_ids text not null, -- JSON: the endpoints whose events count; empty for all
  pod_ids text not null, -- JSON: the Pods whose events count; empty for all
  failures text not null, -- JSON: when an endpoint's jobs fail too often
  channel text not null, -- JSON: its type and address
  secret text, -- sealed: a signing secret, a token, or the address where that is secret
  notified_at integer, -- when its last message was made
  created_at integer not null,
  changed_at integer not null
) strict;
create index notification_rule_of_account on notification_rule (account_id, created_at, id);

create table notification_event (
  seq integer primary key autoincrement,
  rule_id text collate binary not null,
  id text collate binary not null, -- the same for the same fact
  at integer not null,
  event text not null, -- JSON
  notification_seq integer, -- the message that it is part of; null while it waits for one
  unique (rule_id, id)
) strict;
create index notification_event_waiting on notification_event (rule_id, seq) where notification_seq is null;
create index notification_event_of on notification_event (notification_seq, seq) where notification_seq is not null;

create table notification (
  seq integer primary key autoincrement,
  id text collate binary not null unique,
  account_id text collate binary not null,
  rule_id text collate binary not null,
  test integer not null, -- 0 or 1
  events integer not null, -- how many
  created_at integer not null
) strict;
create index notification_of_account on notification (account_id, seq);
create index notification_of_rule on notification (rule_id, seq);
create index notification_by_age on notification (created_at);

create table notification_delivery (
  notification_seq integer not null,
  n integer not null, -- 1 for the first delivery, more when redelivered
  rule_id text collate binary not null,
  message text not null, -- the id that the receiver sees; a redelivery keeps it
  url text not null, -- the address as it may be shown
  state text not null, -- waiting, delivered, failed
  tries integer not null default 0,
  due_at integer,
  created_at integer not null,
  primary key (notification_seq, n)
) strict, without rowid;
create index notification_delivery_due on notification_delivery (rule_id, due_at) where state = 'waiting';

create table notification_delivery_try (
  notification_seq integer not null,
  n integer not null,
  try integer not null,
  at integer not null,
  status integer,
  error text,
  took_ms integer not null,
  primary key (notification_seq, n, try)
) strict, without rowid;

-- Conditions that last, such as a crash loop: a rule announces each once, and its end once.
create table notification_incident (
  rule_id text collate binary not null,
  kind text collate binary not null,
  resource_id text collate binary not null,
  since integer not null,
  primary key (rule_id, kind, resource_id)
) strict, without rowid;
