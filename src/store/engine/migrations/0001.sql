-- The first schema, frozen. Instants are integer milliseconds since the epoch. JSON is text, which gives back what
-- was sent. Texts with `collate binary` compare by their bytes. Hints /*+ ... */ are for PostgreSQL only; see
-- postgres-schema.ts.

create table setting (
  name text primary key,
  value text not null
) strict;

create table account (
  id text collate binary primary key,
  name text not null,
  webhook_secret text,
  prepaid integer not null default 0, -- 1: may spend no more than its credits
  empty_since integer, -- since when its credits are used up
  low_since integer, -- since when its credits are low
  disabled_at integer, -- from then on its keys are refused and nothing runs
  created_at integer not null
) strict;

-- Members of an account. A member's key may do no more than the member's role.
create table member (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  email text collate binary not null, -- in lower case
  name text not null,
  role text not null, -- basic, billing, dev, admin
  created_at integer not null,
  removed_at integer
) strict;
create unique index member_email on member (account_id, email) where removed_at is null;

-- Invitations. The first to open the link becomes a member.
create table invitation (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  email text collate binary not null,
  role text not null,
  hash text collate binary not null unique, -- SHA-256 of the link's token, hexadecimal
  created_at integer not null,
  expires_at integer not null
) strict;
create index invitation_of_account on invitation (account_id);

create table api_key (
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
) strict;
create index api_key_of_member on api_key (member_id) where member_id is not null;

-- Sessions of browsers that signed in with a key. A session ends with its key at the latest.
create table session (
  id text primary key,
  account_id text not null references account (id),
  key_id text not null references api_key (id),
  hash text not null unique, -- SHA-256 of the session cookie, hexadecimal
  agent text not null,
  created_at integer not null,
  expires_at integer not null
) strict;
create index session_by_account on session (account_id);

create table template (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  spec text not null,
  is_public integer not null, -- 1: other accounts may read it
  bound_to text collate binary, -- the endpoint that it is deleted with
  created_at integer not null,
  unique (account_id, name)
) strict;
create index template_of_account on template (account_id, created_at, id);

create table endpoint (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  key_id text collate binary not null default '', -- of the API key that created it
  name text not null,
  template_id text collate binary not null,
  spec text not null,
  version integer not null,
  created_at integer not null,
  deleted_at integer
) strict;
create index endpoint_of_account on endpoint (account_id, created_at, id) where deleted_at is null;
create index endpoint_by_template on endpoint (template_id) where deleted_at is null;

-- Releases: what an endpoint's workers of one version run. Written when the version begins.
create table release (
  endpoint_id text collate binary not null,
  version integer not null,
  workload text not null,
  reason text not null,
  created_at integer not null,
  primary key (endpoint_id, version)
) strict, without rowid;

create table worker (
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
) strict;
create index worker_live on worker (endpoint_id) where observed <> 'ended';
create index worker_on_machine on worker (machine) where observed <> 'ended';
create index worker_ended on worker (endpoint_id, ended_at) where observed = 'ended';

create table job (
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
) strict;
-- The ready queue, in the order of dispatch.
create index job_ready on job (endpoint_id, priority desc, seq) where state = 'IN_QUEUE';
create index job_held on job (worker_id) where state = 'IN_PROGRESS';
create index job_expiring on job (ttl_at) where state = 'IN_QUEUE';
create index job_forgettable on job (forget_at) where forget_at is not null;
create index job_low on job (endpoint_id) where state = 'IN_QUEUE' and low_priority = 1;

-- Earlier attempts of a job. The current attempt is in the job's row.
create table attempt (
  job_seq integer not null,
  n integer not null,
  worker_id text collate binary not null,
  taken_at integer not null,
  ended_at integer not null,
  outcome text not null,
  reported integer not null, -- 1: its worker posted a result, and a repeated post does not count
  primary key (job_seq, n)
) strict, without rowid;

-- Output chunks of an attempt. A reader sees those of the current attempt; those of an earlier attempt
-- are kept for its result, which may still arrive and be accepted.
create table chunk (
  job_seq integer not null,
  attempt integer not null,
  n integer not null,
  output text not null,
  metrics text,
  primary key (job_seq, attempt, n)
) strict;

-- Results that arrived after the job had ended: evidence for "why".
create table late_post (
  job_seq integer not null,
  n integer not null,
  at integer not null,
  worker_id text collate binary not null,
  kind text not null,
  bytes integer not null,
  posts integer not null, -- the last row also counts the posts after it
  primary key (job_seq, n)
) strict, without rowid;

-- Jobs that a worker must stop, until it no longer lists them.
create table stop (
  worker_id text collate binary not null,
  job_id text collate binary not null,
  asked_at integer not null,
  told_at integer, -- when a stop poll of the worker last returned it
  heard_at integer, -- when the worker first polled again after that
  primary key (worker_id, job_id)
) strict, without rowid;

-- Long texts, in pieces, so that no statement is large. A payload that no row refers to is swept.
create table payload (
  id text collate binary primary key,
  bytes integer not null,
  bound integer not null,
  created_at integer not null
) strict;
create index payload_unbound on payload (created_at) where bound = 0;
create table payload_piece (
  payload_id text collate binary not null,
  part integer not null,
  bytes blob not null,
  primary key (payload_id, part)
) strict;

create table delivery (
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
create index delivery_due on delivery (endpoint_id, due_at) where state = 'waiting';
create table delivery_try (
  job_seq integer not null,
  n integer not null,
  try integer not null,
  at integer not null,
  status integer,
  error text,
  took_ms integer not null,
  primary key (job_seq, n, try)
) strict, without rowid;

create table idempotency (
  account_id text collate binary not null,
  key text collate binary not null,
  fingerprint text not null,
  answer text not null,
  expires_at integer not null,
  primary key (account_id, key)
) strict, without rowid;
create index idempotency_expiry on idempotency (expires_at);

-- Counters per endpoint, written once per batch in the transaction of what they count. An endpoint's
-- counts are the sums over its slots. Replicas use different slots, so that none waits for another.
create table tally (
  endpoint_id text collate binary not null,
  slot integer not null, -- always 0 on SQLite, which has one process
  in_queue integer not null,
  in_progress integer not null,
  completed integer not null, -- this and the next two include jobs past their retention
  failed integer not null,
  retried integer not null,
  primary key (endpoint_id, slot)
) strict;

-- Counters per endpoint and minute, for its history. Deleted after a day.
create table job_minute (
  endpoint_id text collate binary not null,
  at integer not null, -- the beginning of the minute
  slot integer not null, -- as in tally
  queued integer not null, -- the change in waiting jobs during the minute
  running integer not null,
  completed integer not null,
  failed integer not null,
  primary key (endpoint_id, at, slot)
) strict, without rowid;
create index job_minute_by_age on job_minute (at);

-- Delay and execution times that ended in a minute, counted by size class.
create table job_span (
  endpoint_id text collate binary not null,
  at integer not null,
  what text collate binary not null, -- delay, execution
  size integer not null, -- see domain/job/durations.ts
  slot integer not null,
  n integer not null,
  primary key (endpoint_id, at, what, size, slot)
) strict, without rowid;
create index job_span_by_age on job_span (at);

-- Pods: the desired state, the place, and the observed state of the container.
create table pod (
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
) strict;
create index pod_of_account on pod (account_id, created_at, id) where state <> 'TERMINATED';
create index pod_on_machine on pod (machine);
create index pod_yielding on pod (machine) where interruptible = 1 and state = 'RUNNING';
create index pod_stopping on pod (stop_after) where stop_after is not null;
create index pod_ending on pod (terminate_after) where terminate_after is not null;
create index pod_of_cluster on pod (cluster_id) where cluster_id is not null;

-- Clusters: Pods that are created, billed and deleted together. The row goes with the last member.
create table cluster (
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
create index cluster_of_account on cluster (account_id, created_at, id);

-- Sandboxes: what runs is the Pod with the same id, and the record outlives it.
create table sandbox (
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
) strict;
create index sandbox_of_account on sandbox (account_id, created_at, id);
create index sandbox_expiring on sandbox (expires_at) where ended_at is null;
create index sandbox_idling on sandbox (idle_at) where ended_at is null;
create index sandbox_ended on sandbox (ended_at) where ended_at is not null;

-- The holder of each GPU in use. A GPU has one holder.
create table held_gpu (
  machine text collate binary not null,
  gpu integer not null,
  holder text collate binary not null,
  primary key (machine, gpu)
) strict, without rowid;
create index held_gpu_of_holder on held_gpu (holder);

-- Network volumes: folders that outlive the Pods and workers they are mounted into. The data is on the machine that
-- used the volume first, and nowhere else.
create table network_volume (
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
) strict;
create index network_volume_of_account on network_volume (account_id) where deleted_at is null;
create index network_volume_on_machine on network_volume (machine) where machine is not null;

-- System log lines of Pods and workers; the newest of each workload.
create table system_line (
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

-- Output of earlier containers, in compressed pieces; the newest of each workload.
create table kept_log (
  workload text collate binary not null,
  part integer not null, -- counts pieces, from 1
  lines integer not null,
  chars integer not null, -- characters of text
  bytes blob not null,
  primary key (workload, part)
) strict;

-- Public ports of machines, each with its Pod. A stopped Pod keeps its ports.
create table pod_port (
  machine text collate binary not null,
  port integer not null,
  pod_id text collate binary not null,
  primary key (machine, port)
) strict, without rowid;
create index pod_port_of_pod on pod_port (pod_id);

-- Registry credentials. The key that opens sealed texts is not in the database.
create table registry_auth (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  credentials text not null, -- sealed: username and password, as JSON
  registry text, -- the only one that receives them; null until the first use
  created_at integer not null,
  unique (account_id, name)
) strict;

-- Private images, with the registry credentials that pulled them.
create table private_image (
  image text collate binary not null, -- the image id, or its name during the pull
  machine text collate binary not null, -- the machine of the pull; empty: all machines
  primary key (image, machine)
) strict, without rowid;

-- Secrets, which a workload's environment variables refer to by name.
create table secret (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  description text not null,
  value text not null, -- sealed
  created_at integer not null,
  changed_at integer not null,
  value_changed_at integer not null
) strict;
create unique index secret_name on secret (account_id, lower(name)); -- case does not distinguish names

-- SSH public keys, which Pods receive.
create table ssh_key (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  public_key text not null,
  fingerprint text collate binary not null,
  created_at integer not null,
  unique (account_id, fingerprint)
) strict;

-- Replicas on this database, each with the machine it manages.
create table replica (
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
) strict, without rowid;

-- Remote machines. One replica at a time manages each.
create table remote_machine (
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

-- What other installations have on the engine of a machine.
create table unknown_installation (
  machine text collate binary not null,
  installation text collate binary not null,
  containers integer not null,
  running integer not null, -- how many of the containers run
  networks integer not null,
  volumes integer not null,
  removal text, -- what the operator wants removed: 'workloads', or 'all' with the volumes
  primary key (machine, installation)
) strict, without rowid;

-- Leaderships: work that one replica does for all, with its holder and its expiry.
create table duty (
  name text primary key,
  holder text not null,
  until integer not null
) strict, without rowid;

/*+
-- Rows of jobs are inserted, updated twice and deleted: vacuum them early and leave room for updates.
alter table job set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table tally set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000);
alter table job_minute set (fillfactor = 50);
alter table job_span set (fillfactor = 50);
-- These texts are compressed already, or their compression costs more than it saves.
alter table job alter column input set storage external;
alter table job alter column output set storage external;
alter table payload_piece alter column bytes set storage external;
alter table kept_log alter column bytes set storage external;
*/

-- Usages: periods at one rate. A usage is charged up to metered_to.
create table usage (
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
) strict /*+ with (fillfactor = 50) */; -- room for the columns that charging changes
create index usage_of on usage (resource_id, id);
create index usage_by_account on usage (account_id, kind, id);
create unique index usage_open on usage (resource_id) where ended_at is null;
create index usage_open_of on usage (account_id) where ended_at is null;
-- The order of charging. No index covers a column that charging changes: a pass would write it as well.
create index usage_open_in_order on usage (id) where ended_at is null;

-- What an account spent per hour and per day, by every dimension of the billing history.
create table spend_hour (
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
create table spend_day (
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

-- The ledger: double entry, append only. The entries of a transaction add up to zero.
create table ledger_transaction (
  id integer primary key autoincrement,
  at integer not null,
  kind text collate binary not null, -- usage, top_up, adjustment
  note text not null
) strict;
create table ledger_entry (
  id integer primary key autoincrement,
  transaction_id integer not null references ledger_transaction (id),
  account_id text collate binary not null,
  book text collate binary not null, -- balance, revenue, funds
  micros integer not null
) strict;
create index ledger_entry_of on ledger_entry (transaction_id);
create table ledger_balance (
  account_id text collate binary not null,
  book text collate binary not null,
  micros integer not null,
  primary key (account_id, book)
) strict, without rowid;

-- Prices that the operator set, over those of the catalog file. The last change of each price counts.
create table price_change (
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
create index price_change_of on price_change (kind, id, price, seq);

-- One row: the last change of a price. Pricing locks it until its transaction commits, as does a change of prices.
create table price_book (
  seq integer not null
) strict;
insert into price_book (seq) values (0);

-- Savings plans: GPUs paid for in advance, each plan with the Pod that it covers or covered last.
create table savings_plan (
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
create index savings_plan_of on savings_plan (account_id, gpu_type_id) where ended = 0;
create index savings_plan_due on savings_plan (end_at) where ended = 0;

-- Budgets: what an account, an endpoint or the resources of an API key may spend per hour, day or month.
create table budget (
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
) strict, without rowid;
create index budget_of on budget (account_id);

-- The audit log: append only, until the retention ends.
create table audit (
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
create index audit_of_account on audit (account_id, seq);
create index audit_by_age on audit (at);
