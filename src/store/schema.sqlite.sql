CREATE TABLE account (
  id text collate binary primary key,
  name text not null,
  webhook_secret text,
  prepaid integer not null default 0, -- 1: may spend no more than its credits
  empty_since integer, -- since when its credits are used up
  low_since integer, -- since when its credits are low
  disabled_at integer, -- from then on its keys are refused and nothing runs
  created_at integer not null
, max_minutes integer, max_extendable integer not null default 1, exemptions text collate binary, exemptions_end integer) strict;

CREATE INDEX account_exemptions_ending on account (exemptions_end) where exemptions_end is not null;

CREATE TABLE api_key (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  member_id text collate binary references member (id), -- null: a key of the account itself
  name text not null,
  hash text collate binary not null unique, -- SHA-256 of the key, hexadecimal
  hint text not null, -- its last four characters, to tell keys apart
  permissions text not null, -- {"rest","graphql","queue","endpoints"}
  created_at integer not null,
  disabled_at integer,
  last_used_at integer, -- written at most once a minute
  revoked_at integer
, sign_in_id text collate binary, labels text collate binary, of_machine integer not null default 0) strict;

CREATE INDEX api_key_of_member on api_key (member_id) where member_id is not null;

CREATE INDEX api_key_of_sign_in on api_key (sign_in_id) where sign_in_id is not null;

CREATE TABLE attempt (
  job_seq integer not null,
  n integer not null,
  worker_id text collate binary not null,
  taken_at integer not null,
  ended_at integer not null,
  outcome text not null,
  reported integer not null, -- 1: its worker posted a result, and a repeated post does not count
  primary key (job_seq, n)
) strict, without rowid;

CREATE TABLE audit (
  seq integer primary key autoincrement,
  account_id text collate binary not null,
  at integer not null,
  key_id text collate binary, -- null: a Pod or Freehold itself did it
  pod_id text collate binary,
  via text collate binary not null, -- rest, graphql, system
  operation text collate binary not null,
  resource_type text collate binary not null,
  resource_id text collate binary not null,
  outcome text collate binary not null, -- done, refused
  detail text not null,
  address text not null
) strict;

CREATE INDEX audit_by_age on audit (at);

CREATE INDEX audit_of_account on audit (account_id, at, seq);

CREATE INDEX audit_of_key on audit (account_id, key_id, at, seq);

CREATE INDEX audit_of_operation on audit (account_id, operation, at, seq);

CREATE INDEX audit_of_resource on audit (account_id, resource_id, at, seq);

CREATE TABLE batch (
  seq integer primary key autoincrement,
  id text collate binary not null unique,
  account_id text collate binary not null references account (id),
  endpoint_id text collate binary not null references endpoint (id),
  state text collate binary not null, -- PENDING, RUNNING, CANCELLING, COMPLETED or CANCELLED
  total integer not null, -- how many items it has
  submitted integer not null, -- how many of them, from the first, became jobs
  items text, -- the JSON array as the client wrote it, or a payload; neither once no item is left to submit
  items_payload text collate binary,
  bytes integer not null, -- of the items
  webhook text,
  trace text,
  reason text, -- why it was cancelled, if no client cancelled it
  created_at integer not null,
  finished_at integer,
  deleted_completed integer not null default 0, -- its jobs that are deleted, by the state that they ended in
  deleted_failed integer not null default 0,
  deleted_cancelled integer not null default 0,
  deleted_timed_out integer not null default 0
, end_counts text) strict;

CREATE TABLE batch_delivery (
  batch_seq integer not null,
  n integer not null, -- 1 for the first delivery, more when redelivered
  endpoint_id text collate binary not null,
  message text not null, -- the id that the receiver sees; a redelivery keeps it
  url text not null,
  state text not null, -- waiting, delivered, failed
  tries integer not null default 0,
  due_at integer,
  created_at integer not null,
  primary key (batch_seq, n)
) strict, without rowid;

CREATE INDEX batch_delivery_due on batch_delivery (endpoint_id, due_at) where state = 'waiting';

CREATE TABLE batch_delivery_try (
  batch_seq integer not null,
  n integer not null,
  try integer not null,
  at integer not null,
  status integer,
  error text,
  took_ms integer not null,
  primary key (batch_seq, n, try)
) strict, without rowid;

CREATE INDEX batch_finished on batch (finished_at) where finished_at is not null;

CREATE INDEX batch_of_account on batch (account_id, seq);

CREATE INDEX batch_unfinished on batch (seq) where finished_at is null;

CREATE TABLE budget (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  scope text collate binary not null, -- account, endpoint, key
  subject_id text collate binary not null, -- the endpoint or the key; empty for the account
  period text collate binary not null, -- hour, day, month
  micros integer not null, -- the limit per period
  warned_at integer, -- when it was last nearly spent
  warned_until integer, -- the end of that period
  spent_at integer, -- when it was last spent
  spent_until integer,
  created_at integer not null
, labels text collate binary) strict, without rowid;

CREATE INDEX budget_of on budget (account_id);

CREATE TABLE chunk (
  job_seq integer not null,
  attempt integer not null,
  n integer not null,
  output text not null,
  metrics text,
  primary key (job_seq, attempt, n)
) strict;

CREATE TABLE cluster (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  type text collate binary not null, -- APPLICATION, TRAINING
  gpu_type_id text not null,
  gpu_count_per_pod integer not null,
  pod_count integer not null,
  template_id text collate binary,
  cidr text, -- of the members' network; null if they use their machines' own
  created_at integer not null
) strict;

CREATE INDEX cluster_of_account on cluster (account_id, created_at, id);

CREATE TABLE concurrency_key ( -- keys with jobs in the queue or running
  endpoint_id text collate binary not null,
  key text collate binary not null,
  max_jobs integer not null, -- as the newest submission named it
  skipped integer not null default 0, -- 1: a held job was locked when it could have been admitted
  primary key (endpoint_id, key)
) strict;

CREATE INDEX concurrency_key_skipped on concurrency_key (endpoint_id, key) where skipped = 1;

CREATE TABLE delivery (
  job_seq integer not null,
  n integer not null, -- 1 for the first delivery, more when redelivered
  endpoint_id text collate binary not null,
  message text not null, -- the id that the receiver sees; a redelivery keeps it
  url text not null,
  state text not null, -- waiting, delivered, failed
  tries integer not null default 0,
  due_at integer,
  created_at integer not null,
  primary key (job_seq, n)
) strict, without rowid;

CREATE INDEX delivery_due on delivery (endpoint_id, due_at) where state = 'waiting';

CREATE TABLE delivery_try (
  job_seq integer not null,
  n integer not null,
  try integer not null,
  at integer not null,
  status integer,
  error text,
  took_ms integer not null,
  primary key (job_seq, n, try)
) strict, without rowid;

CREATE TABLE device_login (
  hash text collate binary primary key, -- SHA-256 of the id, which opens the login
  state text collate binary not null, -- PENDING, APPROVED, DENIED or CONSUMED
  address text not null,
  agent text not null,
  created_at integer not null,
  expires_at integer not null,
  account_id text collate binary, -- of the approver; null until approved
  key_id text collate binary, -- the approver's key
  name text -- of the new key
) strict;

CREATE INDEX device_login_expires on device_login (expires_at);

CREATE TABLE endpoint (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  key_id text collate binary not null default '', -- of the API key that created it
  name text not null,
  template_id text collate binary not null,
  spec text not null,
  version integer not null,
  created_at integer not null,
  deleted_at integer
, owner_id text collate binary, labels text) strict;

CREATE INDEX endpoint_by_template on endpoint (template_id) where deleted_at is null;

CREATE INDEX endpoint_of_account on endpoint (account_id, created_at, id) where deleted_at is null;

CREATE TABLE fabric (
  name text collate binary primary key,
  leader text collate binary not null, -- the machine whose engine manages its networks
  manager text, -- JSON of FabricManager with a sealed token; null until the engine is ready
  created_at integer not null
) strict;

CREATE TABLE fabric_machine (
  machine text collate binary primary key,
  fabric text collate binary not null,
  trouble text -- why its engine is not part of the fabric; null if it is
) strict;

CREATE TABLE flash_app (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text collate binary not null,
  created_at integer not null,
  unique (account_id, name)
) strict;

CREATE TABLE flash_build (
  id text collate binary primary key,
  app_id text collate binary not null references flash_app (id),
  size integer not null,
  manifest text, -- JSON; null until the upload is finalized
  created_at integer not null,
  expires_at integer not null -- of the upload
) strict;

CREATE INDEX flash_build_app on flash_build (app_id);

CREATE TABLE flash_environment (
  id text collate binary primary key,
  app_id text collate binary not null references flash_app (id),
  name text collate binary not null,
  created_at integer not null, active_build_id text collate binary,
  unique (app_id, name)
) strict;

CREATE TABLE gpu_use (
  account_id text collate binary not null references account (id),
  project_id text collate binary not null, -- empty for what is in none
  gpu_ms integer not null, -- up to the instant of the setting "gpu_use.folded_at"
  primary key (account_id, project_id)
) strict;

CREATE TABLE guarantee (
  account_id text collate binary not null references account (id),
  project_id text collate binary not null,
  gpu_type_id text collate binary not null,
  gpu_count integer not null,
  primary key (project_id, gpu_type_id)
) strict;

CREATE TABLE held_gpu (
  machine text collate binary not null,
  gpu integer not null,
  holder text collate binary not null,
  primary key (machine, gpu)
) strict, without rowid;

CREATE INDEX held_gpu_of_holder on held_gpu (holder);

CREATE TABLE idempotency (
  account_id text collate binary not null,
  key text collate binary not null,
  fingerprint text not null,
  answer text not null,
  expires_at integer not null,
  primary key (account_id, key)
) strict, without rowid;

CREATE INDEX idempotency_expiry on idempotency (expires_at);

CREATE TABLE idle_gpu (
  pod_id text collate binary not null,
  day integer not null,
  project_id text collate binary not null, -- the project of its owner then; empty: none
  owner_id text collate binary not null, -- empty: the account alone
  account_id text collate binary not null,
  pod_name text not null, -- as it was last
  measured_ms integer not null, -- what could not be measured is in neither
  idle_ms integer not null,
  added_at integer not null,
  primary key (pod_id, day, project_id, owner_id)
) strict;

CREATE INDEX idle_gpu_by_day on idle_gpu (day);

CREATE TABLE invitation (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  email text collate binary not null,
  role text not null,
  hash text collate binary not null unique, -- SHA-256 of the link's token, hexadecimal
  created_at integer not null,
  expires_at integer not null
, member_id text collate binary) strict;

CREATE INDEX invitation_of_account on invitation (account_id);

CREATE TABLE job (
  seq integer primary key autoincrement, -- the order of submission; never reused
  id text collate binary not null unique,
  endpoint_id text collate binary not null,
  state text not null,
  sync integer not null,
  priority integer not null,
  low_priority integer not null,
  submitted_at integer not null,
  queued_at integer not null, -- when this attempt entered the queue
  ttl_ms integer not null,
  ttl_at integer not null,
  execution_ms integer not null,
  keep_ms integer not null, -- the retention of a result
  failure_keep_ms integer not null, -- the retention after any other end
  forget_at integer, -- the end of its retention; null until the job ends
  webhook text,
  extras text, -- further members of the job object that the worker receives, as JSON
  input text, -- either the text itself or, for a long text, a payload
  input_payload text collate binary,
  worker_id text collate binary,
  taken_at integer,
  lease_until integer,
  attempts integer not null default 0,
  retries integer not null default 0,
  finished_at integer,
  output text,
  output_payload text collate binary,
  error text,
  chunks integer not null default 0,
  drained integer not null default 0 -- chunks that a reader has received
, bytes integer not null default 0, retry text, start_at integer, due_at integer, ended_workers integer not null default 0, archived_until integer, concurrency_key text collate binary, concurrency_limit integer, held_by text, place integer, trace text, rate_key text collate binary, rate_pace text, batch_id text collate binary, batch_index integer) strict;

CREATE INDEX job_admitted on job (endpoint_id, concurrency_key)
  where concurrency_key is not null and (state in ('IN_QUEUE', 'IN_PROGRESS') or state = 'DELAYED' and held_by = 'rate');

CREATE INDEX job_archived on job (archived_until) where archived_until is not null;

CREATE INDEX job_archived_of on job (endpoint_id, seq, archived_until) where archived_until is not null;

CREATE TABLE job_count (
  endpoint_id text collate binary not null,
  at integer not null, -- the beginning of the minute; 9007199254740991 for the counters of now, which follow the last minute
  what text collate binary not null, -- now, minute, delay, execution
  size integer not null, -- of a delay or an execution; see domain/job/durations.ts
  slot integer not null, -- always 0 on SQLite; replicas use different ones, so that none waits for another
  n integer, -- of a delay or an execution: how many; the following ones are null there
  in_queue integer, -- of a minute: the change during it, as the next two
  delayed integer,
  in_progress integer,
  completed integer, -- this and the next two include jobs past their retention
  failed integer,
  retried integer,
  bytes integer,
  archived_bytes integer, -- the part of bytes that archived jobs store
  primary key (endpoint_id, at, what, size, slot)
) strict, without rowid;

CREATE INDEX job_count_by_age on job_count (at) where what <> 'now';

CREATE INDEX job_count_now on job_count (endpoint_id) where what = 'now';

CREATE INDEX job_delayed on job (endpoint_id, seq) where state = 'DELAYED';

CREATE INDEX job_due on job (due_at) where state = 'DELAYED' and due_at is not null;

CREATE INDEX job_expiring on job (ttl_at) where state = 'IN_QUEUE';

CREATE INDEX job_forgettable on job (forget_at) where forget_at is not null and archived_until is null;

CREATE INDEX job_held on job (worker_id) where state = 'IN_PROGRESS';

CREATE INDEX job_held_by_key on job (endpoint_id, concurrency_key, priority desc, seq)
  where state = 'DELAYED' and held_by = 'concurrency';

CREATE INDEX job_held_by_rate on job (endpoint_id, rate_key, priority desc, seq)
  where state = 'DELAYED' and held_by = 'rate';

CREATE INDEX job_held_expiring on job (ttl_at) where state = 'DELAYED' and held_by is not null;

CREATE TABLE job_log (
  job_seq integer not null,
  n integer not null, -- how many lines the job printed before this piece
  worker_id text collate binary not null,
  lines integer not null,
  chars integer not null, -- characters of text
  text text not null, -- JSON, see domain/log/job-lines.ts
  primary key (job_seq, n)
) strict;

CREATE TABLE job_log_mark (
  worker_id text collate binary primary key,
  mark text not null, -- the last line of the worker's log that is stored with its job
  at integer not null
) strict;

CREATE INDEX job_low on job (endpoint_id, state) where low_priority = 1 and state in ('IN_QUEUE', 'IN_PROGRESS');

CREATE VIEW job_minute as
  select endpoint_id, at, slot, in_queue as queued, in_progress as running, completed, failed
  from job_count where what = 'minute';

CREATE INDEX job_of_batch on job (batch_id, seq) where batch_id is not null;

CREATE INDEX job_of_batch_by_state on job (batch_id, state) where batch_id is not null;

CREATE INDEX job_of_endpoint on job (endpoint_id, seq);

CREATE INDEX job_of_worker on job (worker_id, seq) where worker_id is not null;

CREATE TABLE job_operation (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  action text collate binary not null, -- retry or cancel
  filter text not null, -- JSON
  state text collate binary not null, -- RUNNING, COMPLETED or CANCELLED
  last_seq integer not null, -- jobs that were submitted later are not part of it
  cursor_seq integer not null, -- every job up to this one has been dealt with
  total integer, -- how many jobs matched at its start; null until they are counted
  done integer not null, -- how many it has changed
  created_at integer not null,
  finished_at integer
) strict;

CREATE INDEX job_operation_of_account on job_operation (account_id, created_at);

CREATE INDEX job_operation_running on job_operation (created_at) where state = 'RUNNING';

CREATE INDEX job_ready on job (endpoint_id, priority desc, coalesce(place, seq), seq) where state = 'IN_QUEUE';

CREATE VIEW job_span as
  select endpoint_id, at, what, size, slot, n from job_count where what in ('delay', 'execution');

CREATE INDEX job_unsuccessful on job (endpoint_id, state, seq)
  where state in ('FAILED', 'TIMED_OUT', 'CANCELLED');

CREATE TABLE kept_log (
  workload text collate binary not null,
  part integer not null, -- counts pieces, from 1
  lines integer not null,
  chars integer not null, -- characters of text
  bytes blob not null,
  primary key (workload, part)
) strict;

CREATE TABLE late_post (
  job_seq integer not null,
  n integer not null,
  at integer not null,
  worker_id text collate binary not null,
  kind text not null,
  bytes integer not null,
  posts integer not null, -- the last row also counts the posts after it
  primary key (job_seq, n)
) strict, without rowid;

CREATE TABLE "leadership" (
  name text primary key,
  holder text not null,
  until integer not null
) strict, without rowid;

CREATE TABLE ledger_balance (
  account_id text collate binary not null,
  book text collate binary not null,
  micros integer not null,
  primary key (account_id, book)
) strict, without rowid;

CREATE TABLE ledger_entry (
  id integer primary key autoincrement,
  transaction_id integer not null references ledger_transaction (id),
  account_id text collate binary not null,
  book text collate binary not null, -- balance, revenue, funds
  micros integer not null
) strict;

CREATE INDEX ledger_entry_of on ledger_entry (transaction_id);

CREATE TABLE ledger_transaction (
  id integer primary key autoincrement,
  at integer not null,
  kind text collate binary not null, -- usage, top_up, adjustment
  note text not null
) strict;

CREATE INDEX ledger_transaction_other on ledger_transaction (at) where kind <> 'usage';

CREATE TABLE machine_load (
  machine text collate binary not null,
  at integer not null, -- the beginning of the interval
  load text not null, -- JSON
  primary key (machine, at)
) strict;

CREATE INDEX machine_load_at on machine_load (at);

CREATE TABLE member (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  email text collate binary not null, -- in lower case
  name text not null,
  role text not null, -- basic, billing, dev, admin
  created_at integer not null,
  removed_at integer
) strict;

CREATE INDEX member_by_email on member (email) where removed_at is null;

CREATE UNIQUE INDEX member_email on member (account_id, email) where removed_at is null;

CREATE TABLE network_volume (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  size integer not null, -- GB; it only grows
  type text not null, -- STANDARD, HIGH_PERFORMANCE
  data_center_id text not null,
  machine text collate binary, -- the machine with its data; null before the first use
  virtual integer not null default 0, -- 1: a simulated size
  used_bytes integer, -- the size of its content, as last measured
  created_at integer not null,
  deleted_at integer -- from then on it is hidden and its data is being removed
, owner_id text collate binary, labels text) strict;

CREATE INDEX network_volume_of_account on network_volume (account_id) where deleted_at is null;

CREATE INDEX network_volume_on_machine on network_volume (machine) where machine is not null;

CREATE TABLE notification (
  seq integer primary key autoincrement,
  id text collate binary not null unique,
  account_id text collate binary not null,
  rule_id text collate binary not null,
  test integer not null, -- 0 or 1
  events integer not null, -- how many
  created_at integer not null
) strict;

CREATE INDEX notification_by_age on notification (created_at);

CREATE TABLE notification_delivery (
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

CREATE INDEX notification_delivery_due on notification_delivery (rule_id, due_at) where state = 'waiting';

CREATE TABLE notification_delivery_try (
  notification_seq integer not null,
  n integer not null,
  try integer not null,
  at integer not null,
  status integer,
  error text,
  took_ms integer not null,
  primary key (notification_seq, n, try)
) strict, without rowid;

CREATE TABLE notification_event (
  seq integer primary key autoincrement,
  rule_id text collate binary not null,
  id text collate binary not null, -- the same for the same fact
  at integer not null,
  event text not null, -- JSON
  notification_seq integer, -- the message that it is part of; null while it waits for one
  unique (rule_id, id)
) strict;

CREATE INDEX notification_event_of on notification_event (notification_seq, seq) where notification_seq is not null;

CREATE INDEX notification_event_waiting on notification_event (rule_id, seq) where notification_seq is null;

CREATE TABLE notification_incident (
  rule_id text collate binary not null,
  kind text collate binary not null,
  resource_id text collate binary not null,
  since integer not null,
  primary key (rule_id, kind, resource_id)
) strict, without rowid;

CREATE INDEX notification_of_account on notification (account_id, seq);

CREATE INDEX notification_of_rule on notification (rule_id, seq);

CREATE TABLE notification_rule (
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

CREATE INDEX notification_rule_of_account on notification_rule (account_id, created_at, id);

CREATE TABLE password (
  member_id text collate binary not null primary key references member (id),
  account_id text collate binary not null references account (id),
  hash text not null, -- Argon2id with its parameters
  key_id text collate binary references api_key (id), -- of its sessions; null before the first one
  set_at integer not null
) strict;

CREATE TABLE password_reset (
  member_id text collate binary not null primary key references member (id),
  account_id text collate binary not null references account (id),
  hash text collate binary not null,
  remove_totp integer not null,
  expires_at integer not null
) strict;

CREATE UNIQUE INDEX password_reset_hash on password_reset (hash);

CREATE TABLE payload (
  id text collate binary primary key,
  bytes integer not null,
  bound integer not null,
  created_at integer not null
) strict;

CREATE TABLE payload_piece (
  payload_id text collate binary not null,
  part integer not null,
  bytes blob not null,
  primary key (payload_id, part)
) strict;

CREATE INDEX payload_unbound on payload (created_at) where bound = 0;

CREATE TABLE pod (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  key_id text collate binary not null default '', -- of the API key that created it
  name text not null,
  spec text not null, -- as requested, in JSON
  state text collate binary not null, -- the desired state: RUNNING, EXITED, TERMINATED
  cause text collate binary not null, -- the event that led to the desired state
  reason text, -- why, if no client caused it
  changed_at integer not null,
  locked integer not null,
  interruptible integer not null, -- 1: a spot Pod, which gives way to on-demand Pods
  sandbox integer not null default 0, -- 1: the Pod of a sandbox
  machine text collate binary not null,
  driver text not null,
  gpu_type_id text,
  gpus text not null, -- indices of its GPUs, separated by commas; kept after their release
  virtual integer not null, -- 1: simulated GPUs, CPUs and memory
  cpu_flavor_id text,
  vcpus integer not null,
  memory_mb integer not null,
  container_gb integer not null,
  volume_gb integer not null,
  tcp_ports integer not null, -- the number of public ports that it requests
  cost integer not null, -- micro-dollars per hour while it runs, without its disks
  running_rate integer not null, -- with its disks
  stopped_rate integer not null, -- its volume only
  covered_gpus integer not null default 0, -- the number of its GPUs that savings plans cover
  round integer not null, -- the generation of its container, desired
  started_round integer not null, -- the generation that was started last
  started_gpus text not null, -- the GPUs of its last container
  observed text collate binary not null, -- its container: none, starting, running, ended
  start_at integer not null, -- the earliest start
  created_at integer not null,
  started_at integer,
  ended_at integer,
  exit_code integer,
  signal text,
  oom integer not null default 0, -- 1: killed for lack of memory
  ends text not null default '', -- instants of unexpected ends, separated by commas
  failed_starts integer not null default 0,
  failing_since integer,
  trouble text, -- why the last start failed
  trouble_cause text, -- in one word, if it is certain
  public_ip text,
  port_mappings text not null default '{}',
  stop_after integer,
  terminate_after integer,
  cluster_id text collate binary, -- the cluster that it is a member of
  cluster text -- its rank and addresses there, in JSON
, trouble_engine text collate binary, owner_id text collate binary, idle_rule text collate binary, idle_since integer, labels text, max_minutes integer, max_extendable integer not null default 1, template_minutes integer, running_since integer, kept_until integer, lifetime_warning text collate binary) strict;

CREATE INDEX pod_ending on pod (terminate_after) where terminate_after is not null;

CREATE INDEX pod_of_account on pod (account_id, created_at, id) where state <> 'TERMINATED';

CREATE INDEX pod_of_cluster on pod (cluster_id) where cluster_id is not null;

CREATE INDEX pod_on_machine on pod (machine);

CREATE TABLE pod_port (
  machine text collate binary not null,
  port integer not null,
  pod_id text collate binary not null,
  primary key (machine, port)
) strict, without rowid;

CREATE INDEX pod_port_of_pod on pod_port (pod_id);

CREATE INDEX pod_stopping on pod (stop_after) where stop_after is not null;

CREATE INDEX pod_unwanted on pod (machine) where observed = 'running' and state <> 'RUNNING';

CREATE INDEX pod_yielding on pod (machine) where interruptible = 1 and state = 'RUNNING';

CREATE TABLE price_book (
  seq integer not null
, slice_types text not null default '[]', own_types text not null default '[]') strict;

CREATE TABLE price_change (
  seq integer primary key autoincrement,
  at integer not null,
  key_id text collate binary not null,
  kind text collate binary not null, -- gpuType, cpuFlavor, storage
  id text collate binary not null, -- the GPU type or CPU flavor; empty for storage
  price text collate binary not null,
  micros_from integer, -- null: no such price before, or after
  micros_to integer,
  reset integer not null -- 1: back to the price in the catalog file
) strict;

CREATE INDEX price_change_of on price_change (kind, id, price, seq);

CREATE TABLE private_image (
  image text collate binary not null, -- the image id, or its name during the pull
  machine text collate binary not null, -- the machine of the pull; empty: all machines
  primary key (image, machine)
) strict, without rowid;

CREATE TABLE project (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  created_at integer not null, idle_rule text, max_minutes integer, max_extendable integer not null default 1, weight integer not null default 1,
  unique (account_id, name)
) strict;

CREATE TABLE project_member (
  member_id text collate binary primary key references member (id),
  project_id text collate binary not null references project (id)
) strict;

CREATE INDEX project_member_of_project on project_member (project_id);

CREATE TABLE provider_identity (
  issuer text collate binary not null,
  subject text collate binary not null, -- the person's id at the provider
  account_id text collate binary not null references account (id),
  member_id text collate binary not null references member (id),
  created_at integer not null,
  primary key (issuer, subject, account_id)
) strict;

CREATE INDEX provider_identity_of_member on provider_identity (member_id);

CREATE TABLE queued_pod (
  id text collate binary primary key, -- the Pod's, once it is created
  account_id text collate binary not null references account (id),
  owner_id text collate binary references member (id),
  key_id text collate binary not null,
  queued_at integer not null,
  request text not null, -- in JSON
  waiting text not null, -- what it waits for, in JSON
  refusal text, -- why it left the line; null while it waits
  refused_at integer
) strict;

CREATE INDEX queued_pod_of_account on queued_pod (account_id, owner_id);

CREATE INDEX queued_pod_refused on queued_pod (refused_at) where refused_at is not null;

CREATE INDEX queued_pod_waiting on queued_pod (queued_at, id) where refused_at is null;

CREATE TABLE quota (
  account_id text collate binary not null references account (id),
  scope text collate binary not null, -- account, members, member
  holder_id text collate binary not null, -- of the scope member; empty for the others
  limits text not null, -- in JSON
  primary key (account_id, scope, holder_id)
) strict;

CREATE TABLE rate_key ( -- keys with held jobs, or whose pace is not yet used up
  endpoint_id text collate binary not null,
  key text collate binary not null,
  pace text not null, -- as the newest submission named it
  next_us integer not null, -- when the pace of the admitted jobs is used up, in microseconds
  due_at integer not null, -- when its next held job enters; without one, when the row may be deleted
  primary key (endpoint_id, key)
) strict;

CREATE INDEX rate_key_due on rate_key (due_at);

CREATE TABLE recovery_code (
  member_id text collate binary not null references member (id),
  account_id text collate binary not null references account (id),
  hash text collate binary not null,
  primary key (member_id, hash)
) strict;

CREATE TABLE registry_auth (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  credentials text not null, -- sealed: username and password, as JSON
  registry text, -- the only one that receives them; null until the first use
  created_at integer not null, owner_id text collate binary, labels text collate binary,
  unique (account_id, name)
) strict;

CREATE TABLE release (
  endpoint_id text collate binary not null,
  version integer not null,
  workload text not null,
  reason text not null,
  created_at integer not null,
  primary key (endpoint_id, version)
) strict, without rowid;

CREATE TABLE release_model (
  endpoint_id text collate binary not null,
  version integer not null,
  model text not null, -- owner/name
  revision text not null, -- a branch, a tag or a commit, as the endpoint names it
  commit_id text not null, -- 40 hexadecimal digits
  primary key (endpoint_id, version, model)
) strict;

CREATE TABLE remote_machine (
  id text collate binary primary key,
  name text not null, -- the display name; may be empty
  address text collate binary not null unique, -- ssh://user@host:22/var/run/docker.sock, tcp://host:2376
  secrets text not null, -- sealed: a private key, or keys for TLS, as JSON
  offer text not null, -- what the operator declares of it, in JSON
  host_key text, -- as recorded at the first connection; the operator can reset it
  way_back_port integer, -- the port at which its containers reach Freehold
  trouble text, -- why no replica manages it, in a sentence
  added_at integer not null
) strict, without rowid;

CREATE TABLE replica (
  id text collate binary primary key,
  machine text collate binary not null unique,
  drivers text not null, -- names, separated by commas
  address text not null, -- the address at which other replicas reach it
  inventory text not null, -- what its machine offers, in JSON
  started_at integer not null,
  seen_at integer not null,
  stopped_at integer, -- the instant of its orderly stop
  lost_at integer, -- when its machine was declared lost
  draining integer not null default 0, -- 1: nothing new is placed on its machine
  maintenance_start integer,
  maintenance_end integer,
  maintenance_note text
, gpu_cordons text not null default '{}', gpu_health text not null default '{}', shared_gpus text not null default '{}') strict, without rowid;

CREATE TABLE request_load (
  endpoint_id text collate binary not null,
  worker_id text collate binary not null, -- empty: held until a worker is ready
  replica text collate binary not null,
  requests integer not null,
  since integer not null, -- when the count was last 0
  reported_at integer not null,
  primary key (worker_id, endpoint_id, replica)
) strict;

CREATE INDEX request_load_endpoint on request_load (endpoint_id);

CREATE TABLE reservation (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  owner_id text collate binary references member (id), -- who it belongs to; null for the account alone
  project_id text collate binary, -- whom it is for, in place of its owner
  gpu_type_id text not null,
  gpu_count integer not null,
  from_at integer not null,
  until_at integer not null,
  note text not null,
  created_at integer not null
, announced_at integer, labels text collate binary, changed_at integer, sequence integer not null default 0, cancelled_at integer, unused_since integer, warned_at integer, released_at integer, enlarged_by text collate binary) strict;

CREATE INDEX reservation_cancelled on reservation (account_id, cancelled_at) where cancelled_at is not null;

CREATE TABLE reservation_feed (
  hash text collate binary primary key, -- SHA-256 of the token in its address, hexadecimal
  account_id text collate binary not null references account (id),
  owner_id text collate binary references member (id), -- who it belongs to; null for the account alone
  created_at integer not null
) strict;

CREATE INDEX reservation_feed_of_account on reservation_feed (account_id, owner_id);

CREATE INDEX reservation_of_account on reservation (account_id, until_at);

CREATE INDEX reservation_until on reservation (until_at);

CREATE TABLE s3_key (
  id text collate binary primary key, -- the access key id
  account_id text collate binary not null references account (id),
  member_id text collate binary references member (id), -- null: a key of the account itself
  name text not null,
  secret text not null, -- sealed
  access text not null, -- read or write
  volume_ids text, -- a JSON array; null for all volumes of the account
  created_at integer not null,
  last_used_at integer,
  revoked_at integer
, labels text collate binary) strict;

CREATE INDEX s3_key_account on s3_key (account_id);

CREATE TABLE s3_object (
  volume_id text collate binary not null,
  key text collate binary not null,
  etag text not null, -- empty for a folder that was created for a key within it
  size integer not null,
  mtime_ns text not null,
  inode text not null,
  headers text not null, -- JSON
  checksum text, -- JSON
  primary key (volume_id, key)
) strict;

CREATE TABLE s3_part (
  upload_id text collate binary not null references s3_upload (id),
  number integer not null,
  staged text not null, -- the name of its file in the staging area
  etag text not null,
  size integer not null,
  checksum text,
  uploaded_at integer not null,
  primary key (upload_id, number)
) strict;

CREATE TABLE s3_upload (
  id text collate binary primary key,
  volume_id text collate binary not null,
  key text collate binary not null,
  headers text not null, -- JSON
  algorithm text, -- of the parts' checksums
  checksum_type text,
  key_id text collate binary not null,
  created_at integer not null
) strict;

CREATE INDEX s3_upload_volume on s3_upload (volume_id, key);

CREATE TABLE sandbox (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  template_id text collate binary,
  image_name text not null,
  cpu_flavor_id text,
  vcpus integer not null,
  memory_mb integer not null,
  container_gb integer not null,
  labels text not null, -- in JSON
  state text collate binary not null, -- CREATING, RUNNING, TERMINATED, FAILED
  idle_ms integer not null,
  life_ms integer not null,
  created_at integer not null,
  updated_at integer not null,
  started_at integer,
  active_at integer not null, -- the beginning or end of its last command
  busy_until integer not null, -- when a command that may still run ends at the latest
  idle_at integer not null, -- the end of its idle time
  expires_at integer not null, -- the end of its lifetime
  end_reason text collate binary,
  end_detail text,
  ended_at integer
, commands_until text collate binary not null default '[]') strict;

CREATE INDEX sandbox_ended on sandbox (ended_at) where ended_at is not null;

CREATE INDEX sandbox_expiring on sandbox (expires_at) where ended_at is null;

CREATE INDEX sandbox_idling on sandbox (idle_at) where ended_at is null;

CREATE INDEX sandbox_of_account on sandbox (account_id, created_at, id);

CREATE TABLE savings_plan (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  gpu_type_id text collate binary not null,
  gpu_count integer not null,
  length text collate binary not null, -- threeMonth, sixMonth
  cost_per_hr integer not null, -- micro-dollars per GPU; 0: a gift of the operator
  upfront_cost integer not null, -- micro-dollars
  pod_id text collate binary,
  start_at integer not null,
  end_at integer not null,
  ended integer not null default 0 -- 1: its end has been processed
) strict, without rowid;

CREATE INDEX savings_plan_due on savings_plan (end_at) where ended = 0;

CREATE INDEX savings_plan_of on savings_plan (account_id, gpu_type_id) where ended = 0;

CREATE TABLE schedule (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  endpoint_id text collate binary not null references endpoint (id),
  name text not null,
  spec text not null, -- JSON
  input text not null, -- JSON as the client wrote it
  paused_at integer,
  next_run_at integer, -- null while it is paused, and when no instant is left
  last_run_at integer, -- the latest instant that was dealt with
  runs integer not null, -- how many runs it has had
  revision integer not null, -- rises with every change
  created_at integer not null
, owner_id text collate binary, labels text collate binary) strict;

CREATE INDEX schedule_due on schedule (next_run_at) where next_run_at is not null;

CREATE INDEX schedule_of_account on schedule (account_id, created_at);

CREATE INDEX schedule_of_endpoint on schedule (endpoint_id);

CREATE TABLE schedule_run (
  schedule_id text collate binary not null references schedule (id),
  n integer not null,
  trigger_kind text collate binary not null, -- SCHEDULE or MANUAL
  scheduled_at integer not null,
  started_at integer not null,
  outcome text collate binary not null, -- SUBMITTED, SKIPPED or FAILED
  job_id text collate binary, -- the job may be deleted before the run
  reason text, -- why it submitted no job
  primary key (schedule_id, n)
) strict, without rowid;

CREATE TABLE schema_version (version integer primary key, digest text not null) strict;

CREATE TABLE secret (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  description text not null,
  value text not null, -- sealed
  created_at integer not null,
  changed_at integer not null,
  value_changed_at integer not null
, owner_id text collate binary, labels text collate binary) strict;

CREATE UNIQUE INDEX secret_name on secret (account_id, lower(name));

CREATE TABLE session (
  id text primary key,
  account_id text not null references account (id),
  key_id text not null references api_key (id),
  hash text not null unique, -- SHA-256 of the session cookie, hexadecimal
  agent text not null,
  created_at integer not null,
  expires_at integer not null
, address text not null default '', by_reset integer not null default 0) strict;

CREATE INDEX session_by_account on session (account_id);

CREATE TABLE setting (
  name text primary key,
  value text not null
) strict;

CREATE TABLE sign_in (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  member_id text collate binary not null references member (id),
  key_id text collate binary not null references api_key (id), -- the key of the browser's session
  issuer text collate binary not null,
  subject text collate binary not null,
  refresh_token text collate binary, -- sealed; null: the provider cannot be asked again
  created_at integer not null,
  next_check_at integer not null -- when the provider is asked again
, provider_session text collate binary) strict;

CREATE INDEX sign_in_next_check on sign_in (next_check_at);

CREATE INDEX sign_in_of_member on sign_in (member_id);

CREATE INDEX sign_in_of_person on sign_in (issuer, subject);

CREATE INDEX sign_in_of_provider_session on sign_in (issuer, provider_session);

CREATE TABLE sign_in_try (
  subject text collate binary not null primary key,
  tries integer not null,
  ends_at integer not null -- of the window that they count in
) strict;

CREATE INDEX sign_in_try_ends on sign_in_try (ends_at);

CREATE TABLE spend_day (
  account_id text collate binary not null,
  kind text collate binary not null,
  at integer not null,
  endpoint_id text collate binary not null,
  gpu_type_id text collate binary not null,
  data_center_id text collate binary not null,
  image_name text collate binary not null,
  template_id text collate binary not null,
  volume_type text collate binary not null,
  key_id text collate binary not null,
  run_ms integer not null,
  ms integer not null,
  gb_ms integer not null,
  micros integer not null,
  disk_micros integer not null, -- the part of it that is for disks
  primary key (account_id, kind, at, endpoint_id, gpu_type_id, data_center_id, image_name, template_id,
    volume_type, key_id)
) strict, without rowid;

CREATE TABLE spend_hour (
  account_id text collate binary not null,
  kind text collate binary not null,
  at integer not null,
  endpoint_id text collate binary not null,
  gpu_type_id text collate binary not null,
  data_center_id text collate binary not null,
  image_name text collate binary not null,
  template_id text collate binary not null,
  volume_type text collate binary not null,
  key_id text collate binary not null,
  run_ms integer not null,
  ms integer not null,
  gb_ms integer not null,
  micros integer not null,
  disk_micros integer not null, -- the part of it that is for disks
  primary key (account_id, kind, at, endpoint_id, gpu_type_id, data_center_id, image_name, template_id,
    volume_type, key_id)
) strict, without rowid;

CREATE TABLE ssh_key (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  public_key text not null,
  fingerprint text collate binary not null,
  created_at integer not null,
  member_id text collate binary references member (id) -- null: a key of the account itself
, labels text collate binary) strict;

CREATE UNIQUE INDEX ssh_key_of_owner on ssh_key (account_id, coalesce(member_id, ''), fingerprint);

CREATE TABLE stop (
  worker_id text collate binary not null,
  job_id text collate binary not null,
  asked_at integer not null,
  told_at integer, -- when a stop poll of the worker last returned it
  heard_at integer, -- when the worker first polled again after that
  primary key (worker_id, job_id)
) strict, without rowid;

CREATE TABLE system_line (
  workload text collate binary not null,
  n integer not null, -- counts lines, from 1
  at integer not null,
  line text not null,
  event text, -- an event of a Pod; null: a log line only
  was text, -- the state before: desired, or observed of its container
  became text,
  actor text, -- the actor that caused it
  key_id text, -- the API key, if a request caused it
  primary key (workload, n)
) strict, without rowid;

CREATE VIEW tally as
  select endpoint_id, slot, in_queue, delayed, in_progress, completed, failed, retried, bytes, archived_bytes
  from job_count where at = 9007199254740991 and what = 'now';

CREATE TABLE template (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  spec text not null,
  is_public integer not null, -- 1: other accounts may read it
  bound_to text collate binary, -- the endpoint that it is deleted with
  created_at integer not null, owner_id text collate binary, labels text collate binary,
  unique (account_id, name)
) strict;

CREATE INDEX template_of_account on template (account_id, created_at, id);

CREATE TABLE totp (
  member_id text collate binary not null primary key references member (id),
  account_id text collate binary not null references account (id),
  secret text not null, -- sealed
  last_step integer not null, -- of the latest code that was used
  confirmed_at integer -- null: no code has confirmed it
) strict;

CREATE TABLE unknown_installation (
  machine text collate binary not null,
  installation text collate binary not null,
  containers integer not null,
  running integer not null, -- how many of the containers run
  networks integer not null,
  volumes integer not null,
  removal text, -- what the operator wants removed: 'workloads', or 'all' with the volumes
  primary key (machine, installation)
) strict, without rowid;

CREATE TABLE usage (
  id integer primary key autoincrement,
  account_id text collate binary not null references account (id),
  kind text collate binary not null, -- pod, cluster, sandbox, worker, volume
  resource_id text collate binary not null,
  endpoint_id text collate binary not null, -- or the cluster of a member; this text and the following ones are empty where they do not apply
  gpu_type_id text collate binary not null,
  data_center_id text collate binary not null,
  image_name text collate binary not null,
  template_id text collate binary not null,
  volume_type text collate binary not null, -- of a network volume
  key_id text collate binary not null, -- of the API key that created it
  running integer not null, -- 0: only its disks are billed
  disk_gb integer not null,
  rate integer not null, -- micro-dollars per hour
  disk_rate integer not null, -- the part of it that is for disks
  carry integer not null, -- the remainder of the usage before, in 1/3,600,000 micro-dollars
  continues integer not null default 0, -- 1: continues the usage before at another rate
  began_at integer not null,
  ended_at integer, -- null while it continues
  metered_to integer not null, -- charged up to this instant
  metered_from integer not null, -- where the charge of the metering pass began
  pass integer
, labels text, owner_id text collate binary, gpus integer not null default 0) strict /*+ with (fillfactor = 50) */;

CREATE INDEX usage_ended on usage (account_id, kind, ended_at, id) where ended_at is not null;

CREATE INDEX usage_gpu_ended on usage (ended_at) where ended_at is not null and gpus > 0;

CREATE INDEX usage_labeled on usage (account_id, ended_at) where labels is not null and ended_at is not null;

CREATE INDEX usage_long on usage (account_id, kind, ended_at, id) where ended_at - began_at > 604800000;

CREATE INDEX usage_of on usage (resource_id, id);

CREATE UNIQUE INDEX usage_open on usage (resource_id) where ended_at is null;

CREATE INDEX usage_open_in_order on usage (id) where ended_at is null;

CREATE INDEX usage_open_of on usage (account_id) where ended_at is null;

CREATE TABLE used_logout_token (
  hash text collate binary primary key, -- SHA-256 of its issuer and its jti
  expires_at integer not null
, issuer text collate binary not null default '', subject text collate binary, provider_session text collate binary, used_at integer not null default 0) strict;

CREATE INDEX used_logout_token_expires on used_logout_token (expires_at);

CREATE TABLE used_sign_in (
  hash text collate binary primary key, -- SHA-256 of its state
  expires_at integer not null
) strict;

CREATE INDEX used_sign_in_expires on used_sign_in (expires_at);

CREATE TABLE worker (
  id text collate binary primary key,
  endpoint_id text collate binary not null,
  version integer not null,
  machine text collate binary not null, -- where it runs
  driver text not null,
  key_hash text collate binary not null unique,
  gpu_type_id text,
  gpus text not null, -- indices of its GPUs, separated by commas; kept after its end
  virtual integer not null, -- 1: simulated GPUs
  vcpus integer not null, -- reserved on its machine
  memory_mb integer not null,
  disk_gb integer not null,
  rate integer not null default 0, -- micro-dollars per hour while it runs
  desired text not null, -- run, drain, end
  desired_reason text,
  taking integer not null, -- 1: it may claim jobs
  observed text not null, -- new, running, ended
  created_at integer not null,
  started_at integer,
  ready_at integer, -- its first poll or ping
  freed_at integer, -- when a job last left it
  pinged_at integer,
  ping_version text,
  polled_idle_at integer, -- its last poll that reported no jobs
  stop_polled_at integer,
  seen_at integer,
  served integer not null default 0,
  unhealthy text, -- why it cannot serve, as the worker or Freehold reports it
  end_asked_at integer,
  signalled_at integer, -- when it received the signal to end; its polls are released from then on
  ended_at integer,
  exit_code integer,
  signal text,
  end_cause text -- why it ended, if that is certain
, serving text, health text, launched_at integer, models_at integer, pulling_at integer, image_at integer, first_job_at integer, process_at integer, loaded_at integer) strict;

CREATE INDEX worker_ended on worker (endpoint_id, ended_at) where observed = 'ended';

CREATE INDEX worker_live on worker (endpoint_id) where observed <> 'ended';

CREATE INDEX worker_on_machine on worker (machine) where observed <> 'ended';
