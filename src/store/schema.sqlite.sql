CREATE TABLE account (
  id text primary key,
  name text not null,
  webhook_secret text,
  prepaid integer not null default 0, -- 1 where it may only use what it has
  empty_since integer,                -- since when it has nothing left
  low_since integer,                  -- since when what it has lasts for a short while only
  disabled_at integer,                -- from then on its keys open nothing, and nothing runs
  created_at integer not null
) strict;

CREATE TABLE api_key (
  id text primary key,
  account_id text not null references account (id),
  member_id text references member (id), -- null where it is the account's own
  name text not null,
  hash text not null unique,          -- SHA-256 of the key, hexadecimal
  hint text not null,                 -- its last four characters, to tell keys apart
  permissions text not null,          -- {"rest","graphql","queue","endpoints"}
  created_at integer not null,
  disabled_at integer,
  last_used_at integer,               -- written at most once a minute
  revoked_at integer
) strict;

CREATE INDEX api_key_of_member on api_key (member_id) where member_id is not null;

CREATE TABLE attempt (
  job_seq integer not null,
  n integer not null,
  worker_id text not null,
  taken_at integer not null,
  ended_at integer not null,
  outcome text not null,
  primary key (job_seq, n)
) strict, without rowid;

CREATE TABLE audit (
  seq integer primary key autoincrement,
  account_id text not null,
  at integer not null,
  key_id text,                      -- null where a Pod or the service itself did it
  pod_id text,
  via text not null,                -- rest, graphql, system
  operation text not null,
  resource_type text not null,
  resource_id text not null,
  outcome text not null,            -- done, refused
  detail text not null,
  address text not null
) strict;

CREATE INDEX audit_by_age on audit (at);

CREATE INDEX audit_of_account on audit (account_id, seq);

CREATE TABLE budget (
  id text primary key,
  account_id text not null references account (id),
  name text not null,
  scope text not null,             -- account, endpoint, key
  subject_id text not null,        -- of the endpoint or the key; empty for the account
  period text not null,            -- hour, day, month
  micros integer not null,           -- the most that may be spent in one
  warned_at integer,                 -- when most of it was last seen spent
  warned_until integer,              -- the end of the period in which that was
  spent_at integer,                  -- the same of all of it
  spent_until integer,
  created_at integer not null
) strict, without rowid;

CREATE INDEX budget_of on budget (account_id);

CREATE TABLE chunk (
  job_seq integer not null,
  attempt integer not null,
  n integer not null,
  output text not null,
  metrics text,
  primary key (job_seq, attempt, n)
) strict;

CREATE TABLE delivery (
  job_seq integer not null,
  n integer not null,                 -- 1 for the first delivery, more when redelivered
  endpoint_id text not null,
  message text not null,              -- the id its receiver sees, the same when delivered again
  url text not null,
  state text not null,                -- waiting, delivered, failed
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

CREATE TABLE duty (
  name text primary key,
  holder text not null,
  until integer not null
) strict, without rowid;

CREATE TABLE endpoint (
  id text primary key,
  account_id text not null references account (id),
  key_id text not null default '', -- of the API key it was made with
  name text not null,
  template_id text not null,
  spec text not null,
  version integer not null,
  created_at integer not null,
  deleted_at integer
) strict;

CREATE INDEX endpoint_by_template on endpoint (template_id) where deleted_at is null;

CREATE TABLE held_gpu (
  machine text not null,
  gpu integer not null,
  holder text not null,
  primary key (machine, gpu)
) strict, without rowid;

CREATE INDEX held_gpu_of_holder on held_gpu (holder);

CREATE TABLE idempotency (
  account_id text not null,
  key text not null,
  fingerprint text not null,
  answer text not null,
  expires_at integer not null,
  primary key (account_id, key)
) strict, without rowid;

CREATE INDEX idempotency_expiry on idempotency (expires_at);

CREATE TABLE invitation (
  id text primary key,
  account_id text not null references account (id),
  email text not null,
  role text not null,
  hash text not null unique,        -- SHA-256 of what the link holds, hexadecimal
  created_at integer not null,
  expires_at integer not null
) strict;

CREATE INDEX invitation_of_account on invitation (account_id);

CREATE TABLE job (
  seq integer primary key autoincrement, -- the order of submission; never lent again
  id text not null unique,
  endpoint_id text not null,
  state text not null,
  sync integer not null,
  priority integer not null,
  low_priority integer not null,
  submitted_at integer not null,
  queued_at integer not null,         -- when this attempt began to wait
  ttl_ms integer not null,
  ttl_at integer not null,
  execution_ms integer not null,
  keep_ms integer not null,
  forget_at integer,                  -- when its retention is over; null while it lives
  webhook text,
  extras text,                        -- further keys that the worker is given, as JSON members
  input text,                         -- either the text itself or, if long, a payload
  input_payload text,
  worker_id text,
  taken_at integer,
  lease_until integer,
  attempts integer not null default 0,
  retries integer not null default 0,
  finished_at integer,
  output text,
  output_payload text,
  error text,
  chunks integer not null default 0,
  drained integer not null default 0  -- chunks that a reader was given
) strict;

CREATE INDEX job_expiring on job (ttl_at) where state = 'IN_QUEUE';

CREATE INDEX job_forgettable on job (forget_at) where forget_at is not null;

CREATE INDEX job_held on job (worker_id) where state = 'IN_PROGRESS';

CREATE INDEX job_low on job (endpoint_id) where state = 'IN_QUEUE' and low_priority = 1;

CREATE TABLE job_minute (
  endpoint_id text not null,
  at integer not null,                 -- when the minute began
  slot integer not null,               -- as in tally
  queued integer not null,             -- by how many more wait at its end than at its beginning
  running integer not null,
  completed integer not null,
  failed integer not null,
  primary key (endpoint_id, at, slot)
) strict, without rowid;

CREATE INDEX job_minute_by_age on job_minute (at);

CREATE INDEX job_ready on job (endpoint_id, priority desc, seq) where state = 'IN_QUEUE';

CREATE TABLE job_span (
  endpoint_id text not null,
  at integer not null,
  what text not null,                -- delay, execution
  size integer not null,               -- see domain/job/durations.ts
  slot integer not null,
  n integer not null,
  primary key (endpoint_id, at, what, size, slot)
) strict, without rowid;

CREATE INDEX job_span_by_age on job_span (at);

CREATE TABLE kept_log (
  workload text not null,
  part integer not null,              -- rises with every piece, from 1
  lines integer not null,
  chars integer not null,             -- of their text
  bytes blob not null,
  primary key (workload, part)
) strict;

CREATE TABLE late_post (
  job_seq integer not null,
  at integer not null,
  worker_id text not null,
  kind text not null,
  bytes integer not null
) strict;

CREATE INDEX late_post_by_job on late_post (job_seq);

CREATE TABLE ledger_balance (
  account_id text not null,
  book text not null,
  micros integer not null,
  primary key (account_id, book)
) strict, without rowid;

CREATE TABLE ledger_entry (
  id integer primary key autoincrement,
  transaction_id integer not null references ledger_transaction (id),
  account_id text not null,
  book text not null,                 -- balance, revenue, funds
  micros integer not null
) strict;

CREATE INDEX ledger_entry_of on ledger_entry (transaction_id);

CREATE TABLE ledger_transaction (
  id integer primary key autoincrement,
  at integer not null,
  kind text not null,                 -- usage, top_up, adjustment
  note text not null
) strict;

CREATE TABLE member (
  id text primary key,
  account_id text not null references account (id),
  email text not null,              -- in lower case
  name text not null,
  role text not null,                 -- basic, billing, dev, admin
  created_at integer not null,
  removed_at integer
) strict;

CREATE UNIQUE INDEX member_email on member (account_id, email) where removed_at is null;

CREATE TABLE network_volume (
  id text primary key,
  account_id text not null references account (id),
  name text not null,
  size integer not null,                 -- GB; it only grows
  data_center_id text not null,
  machine text,                       -- which has its data; null before anything used it
  virtual integer not null default 0,    -- 1 where its size exists on paper only
  used_bytes integer,                    -- what was in it when it was measured last
  created_at integer not null,
  deleted_at integer                     -- from then on nobody sees it; its data is being removed
) strict;

CREATE INDEX network_volume_of_account on network_volume (account_id) where deleted_at is null;

CREATE INDEX network_volume_on_machine on network_volume (machine) where machine is not null;

CREATE TABLE payload (
  id text primary key,
  bytes integer not null,
  bound integer not null,
  created_at integer not null
) strict;

CREATE TABLE payload_piece (
  payload_id text not null,
  part integer not null,
  bytes blob not null,
  primary key (payload_id, part)
) strict;

CREATE INDEX payload_unbound on payload (created_at) where bound = 0;

CREATE TABLE pod (
  id text primary key,
  account_id text not null references account (id),
  key_id text not null default '', -- of the API key it was made with
  name text not null,
  spec text not null,                 -- what was asked for, as JSON
  state text not null,             -- RUNNING, EXITED, TERMINATED: what is wanted
  cause text not null,             -- the event that led to it
  reason text,                        -- and why, where it was none of a client's
  changed_at integer not null,
  locked integer not null,
  interruptible integer not null,   -- 1 where it gives way to what runs on demand
  machine text not null,
  driver text not null,
  gpu_type_id text,
  gpus text not null,                 -- indices of its GPUs by commas, also after they were let go
  virtual integer not null,               -- 1 where they, and what comes with them, exist on paper only
  cpu_flavor_id text,
  vcpus integer not null,
  memory_mb integer not null,
  container_gb integer not null,
  volume_gb integer not null,
  cost integer not null,                  -- micro-dollars per hour while it runs, its disks apart
  running_rate integer not null,          -- with its disks
  stopped_rate integer not null,          -- of its volume alone
  covered_gpus integer not null default 0,    -- of its GPUs, those that a savings plan pays for
  round integer not null,                 -- rises with every container that is wanted anew
  started_round integer not null,         -- the one that was started last
  started_gpus text not null,         -- those that its last container was given
  observed text not null,          -- none, starting, running, ended: its container
  start_at integer not null,              -- not started before
  created_at integer not null,
  started_at integer,
  ended_at integer,
  exit_code integer,
  signal text,
  oom integer not null default 0,         -- 1 where it was ended for want of memory
  ends text not null default '',      -- instants of ends that nobody asked for, by commas
  failed_starts integer not null default 0,
  failing_since integer,
  trouble text,                       -- why the last start failed
  trouble_cause text,                 -- in one word, where that is certain
  public_ip text,
  port_mappings text not null default '{}',
  stop_after integer,
  terminate_after integer
) strict;

CREATE INDEX pod_ending on pod (terminate_after) where terminate_after is not null;

CREATE INDEX pod_of_account on pod (account_id) where state <> 'TERMINATED';

CREATE INDEX pod_on_machine on pod (machine);

CREATE TABLE pod_port (
  machine text not null,
  port integer not null,
  pod_id text not null,
  primary key (machine, port)
) strict, without rowid;

CREATE INDEX pod_port_of_pod on pod_port (pod_id);

CREATE INDEX pod_stopping on pod (stop_after) where stop_after is not null;

CREATE INDEX pod_yielding on pod (machine) where interruptible = 1 and state = 'RUNNING';

CREATE TABLE price_book (
  seq integer not null
) strict;

CREATE TABLE price_change (
  seq integer primary key autoincrement,
  at integer not null,
  key_id text not null,
  kind text not null,                 -- gpuType, cpuFlavor, storage
  id text not null,                   -- of the GPU type or CPU flavor; empty for storage
  price text not null,
  micros_from integer,                    -- null where there was, or is, no such price
  micros_to integer,
  reset integer not null                  -- 1 where it is the file's from now on
) strict;

CREATE INDEX price_change_of on price_change (kind, id, price, seq);

CREATE TABLE private_image (
  image text not null,          -- its own id, or a name while it is pulled
  machine text not null,        -- on which the name is meant; empty: on all
  primary key (image, machine)
) strict, without rowid;

CREATE TABLE registry_auth (
  id text primary key,
  account_id text not null references account (id),
  name text not null,
  credentials text not null,          -- sealed: username and password, as JSON
  created_at integer not null,
  unique (account_id, name)
) strict;

CREATE TABLE release (
  endpoint_id text not null,
  version integer not null,
  workload text not null,
  reason text not null,
  created_at integer not null,
  primary key (endpoint_id, version)
) strict, without rowid;

CREATE TABLE remote_machine (
  id text primary key,
  name text not null,                 -- for people; empty for none
  address text not null unique,       -- ssh://user@host:22/var/run/docker.sock, tcp://host:2376
  secrets text not null,              -- sealed: a private key, or keys for TLS, as JSON
  offer text not null,                -- what its operator says of it, as JSON
  host_key text,                      -- the first that was seen, unless it was forgotten
  way_back_port integer,              -- at which its containers reach the service
  trouble text,                       -- why it is not attended, in a sentence
  added_at integer not null
) strict, without rowid;

CREATE TABLE replica (
  id text primary key,
  machine text not null unique,
  drivers text not null,              -- names, by commas
  address text not null,              -- where other replicas reach it
  inventory text not null,            -- what its machine offers, as JSON
  started_at integer not null,
  seen_at integer not null,
  stopped_at integer,                 -- it said that it goes
  lost_at integer,                    -- its machine was given up
  draining integer not null default 0, -- 1 where nothing new is placed on its machine
  maintenance_start integer,
  maintenance_end integer,
  maintenance_note text
) strict, without rowid;

CREATE TABLE savings_plan (
  id text primary key,
  account_id text not null references account (id),
  gpu_type_id text not null,
  gpu_count integer not null,
  length text not null,               -- threeMonth, sixMonth
  cost_per_hr integer not null,           -- micro-dollars per GPU; 0 where the operator gave it
  upfront_cost integer not null,          -- micro-dollars
  pod_id text,
  start_at integer not null,
  end_at integer not null,
  ended integer not null default 0        -- 1 once its end was seen
) strict, without rowid;

CREATE INDEX savings_plan_due on savings_plan (end_at) where ended = 0;

CREATE INDEX savings_plan_of on savings_plan (account_id, gpu_type_id) where ended = 0;

CREATE TABLE secret (
  id text primary key,
  account_id text not null references account (id),
  name text not null,
  description text not null,
  value text not null,                -- sealed
  created_at integer not null,
  changed_at integer not null,
  unique (account_id, name)
) strict;

CREATE TABLE session (
  id text primary key,
  account_id text not null references account (id),
  key_id text not null references api_key (id),
  hash text not null unique,          -- SHA-256 of what the browser shows, hexadecimal
  agent text not null,
  created_at integer not null,
  expires_at integer not null
) strict;

CREATE INDEX session_by_account on session (account_id);

CREATE TABLE setting (
  name text primary key,
  value text not null
) strict;

CREATE TABLE spend_day (
  account_id text not null,
  kind text not null,
  at integer not null,
  endpoint_id text not null,
  gpu_type_id text not null,
  data_center_id text not null,
  image_name text not null,
  template_id text not null,
  key_id text not null,
  run_ms integer not null,
  ms integer not null,
  gb_ms integer not null,
  micros integer not null,
  primary key (account_id, kind, at, endpoint_id, gpu_type_id, data_center_id, image_name, template_id,
    key_id)
) strict, without rowid;

CREATE TABLE spend_hour (
  account_id text not null,
  kind text not null,
  at integer not null,
  endpoint_id text not null,
  gpu_type_id text not null,
  data_center_id text not null,
  image_name text not null,
  template_id text not null,
  key_id text not null,
  run_ms integer not null,
  ms integer not null,
  gb_ms integer not null,
  micros integer not null,
  primary key (account_id, kind, at, endpoint_id, gpu_type_id, data_center_id, image_name, template_id,
    key_id)
) strict, without rowid;

CREATE TABLE ssh_key (
  id text primary key,
  account_id text not null references account (id),
  name text not null,
  public_key text not null,
  fingerprint text not null,
  created_at integer not null,
  unique (account_id, fingerprint)
) strict;

CREATE TABLE stop (
  worker_id text not null,
  job_id text not null,
  asked_at integer not null,
  told_at integer,                    -- when the worker's stop poll last carried it
  primary key (worker_id, job_id)
) strict, without rowid;

CREATE TABLE system_line (
  workload text not null,
  n integer not null,                 -- rises with every line, from 1
  at integer not null,
  line text not null,
  event text,                        -- what happened to a Pod; null: a line and no more
  was text,                          -- of what was wanted of it or seen of its container
  became text,
  actor text,                        -- who or what it came from
  key_id text,                       -- where somebody asked with a key
  primary key (workload, n)
) strict, without rowid;

CREATE TABLE tally (
  endpoint_id text not null,
  slot integer not null,              -- always 0 here, where there is one process
  in_queue integer not null,
  in_progress integer not null,
  completed integer not null,
  failed integer not null,
  retried integer not null,
  ever_completed integer not null,   -- these also count jobs that are forgotten by now
  ever_failed integer not null,
  primary key (endpoint_id, slot)
) strict;

CREATE TABLE template (
  id text primary key,
  account_id text not null references account (id),
  name text not null,
  spec text not null,
  is_public integer not null,         -- 1 where other accounts may read it
  created_at integer not null,
  unique (account_id, name)
) strict;

CREATE TABLE usage (
  id integer primary key autoincrement,
  account_id text not null references account (id),
  kind text not null,                 -- pod, worker, volume
  resource_id text not null,
  endpoint_id text not null,          -- these texts are empty where there is nothing to say
  gpu_type_id text not null,
  data_center_id text not null,
  image_name text not null,
  template_id text not null,
  key_id text not null, -- of the API key it was made with
  running integer not null,           -- 0 where its disks alone are billed
  disk_gb integer not null,
  rate integer not null,              -- micro-dollars per hour
  carry integer not null,             -- what the one before left over: 1/3,600,000 micro-dollars
  continues integer not null default 0,     -- 1 where the one before went on, at another price
  began_at integer not null,
  ended_at integer,                   -- null while it goes on
  metered_to integer not null,        -- what was charged ends here
  metered_from integer not null,      -- where the transaction named by pass began
  pass integer
) strict;

CREATE INDEX usage_by_account on usage (account_id, kind, id);

CREATE INDEX usage_of on usage (resource_id, id);

CREATE UNIQUE INDEX usage_open on usage (resource_id) where ended_at is null;

CREATE INDEX usage_open_in_order on usage (id) where ended_at is null;

CREATE INDEX usage_open_of on usage (account_id) where ended_at is null;

CREATE TABLE worker (
  id text primary key,
  endpoint_id text not null,
  version integer not null,
  machine text not null,              -- where it runs
  driver text not null,
  key_hash text not null unique,
  gpu_type_id text,
  gpus text not null,                 -- indices of its GPUs by commas, also after it ended
  virtual integer not null,            -- 1 where they exist on paper only
  vcpus integer not null,              -- what of its machine is its alone
  memory_mb integer not null,
  disk_gb integer not null,
  rate integer not null default 0,     -- micro-dollars per hour while it runs
  desired text not null,              -- run, drain, end
  desired_reason text,
  taking integer not null,            -- 1 while it may be given jobs
  observed text not null,             -- new, running, ended
  created_at integer not null,
  started_at integer,
  ready_at integer,                   -- its first poll or ping
  freed_at integer,                   -- when a job last left it
  pinged_at integer,
  ping_version text,
  polled_idle_at integer,             -- last poll that said it holds nothing
  stop_polled_at integer,
  seen_at integer,
  served integer not null default 0,
  unhealthy text,                     -- its own report, or ours, that it cannot serve
  end_asked_at integer,
  signalled_at integer,               -- when it was told to end: from here on its polls are let go
  ended_at integer,
  exit_code integer,
  signal text,
  end_cause text                      -- why it ended, where that is certain
) strict;

CREATE INDEX worker_ended on worker (endpoint_id, ended_at) where observed = 'ended';

CREATE INDEX worker_live on worker (endpoint_id) where observed <> 'ended';

CREATE INDEX worker_on_machine on worker (machine) where observed <> 'ended';
