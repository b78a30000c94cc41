-- The first schema. Instants are integer milliseconds since the epoch; JSON is kept as text,
-- which gives back what was sent. Ids compare by their bytes.

create table setting (
  name text primary key,
  value text not null
);

create table account (
  id text collate "C" primary key,
  name text not null,
  webhook_secret text,
  prepaid bigint not null default 0, -- 1 where it may only use what it has
  empty_since bigint,                -- since when it has nothing left
  low_since bigint,                  -- since when what it has lasts for a short while only
  disabled_at bigint,                -- from then on its keys open nothing, and nothing runs
  created_at bigint not null
);

-- People of an account. A key of theirs may do no more than their role.
create table member (
  id text collate "C" primary key,
  account_id text collate "C" not null references account (id),
  email text collate "C" not null,              -- in lower case
  name text not null,
  role text not null,                 -- basic, billing, dev, admin
  created_at bigint not null,
  removed_at bigint
);
create unique index member_email on member (account_id, email) where removed_at is null;

-- Links that make whoever opens one first a member.
create table invitation (
  id text collate "C" primary key,
  account_id text collate "C" not null references account (id),
  email text collate "C" not null,
  role text not null,
  hash text collate "C" not null unique,        -- SHA-256 of what the link holds, hexadecimal
  created_at bigint not null,
  expires_at bigint not null
);
create index invitation_of_account on invitation (account_id);

create table api_key (
  id text collate "C" primary key,
  account_id text collate "C" not null references account (id),
  member_id text collate "C" references member (id), -- null where it is the account's own
  name text not null,
  hash text collate "C" not null unique, -- SHA-256 of the key, hexadecimal
  hint text not null,                 -- its last four characters, to tell keys apart
  permissions text not null,          -- {"rest","graphql","queue","endpoints"}
  created_at bigint not null,
  disabled_at bigint,
  last_used_at bigint,               -- written at most once a minute
  revoked_at bigint
);
create index api_key_of_member on api_key (member_id) where member_id is not null;

-- Browsers that signed in with a key; each ends with its key, if not by itself before.
create table session (
  id text primary key,
  account_id text not null references account (id),
  key_id text not null references api_key (id),
  hash text not null unique,          -- SHA-256 of what the browser shows, hexadecimal
  agent text not null,
  created_at bigint not null,
  expires_at bigint not null
);
create index session_by_account on session (account_id);

create table template (
  id text collate "C" primary key,
  account_id text collate "C" not null references account (id),
  name text not null,
  spec text not null,
  is_public bigint not null,          -- 1 where other accounts may read it
  created_at bigint not null,
  unique (account_id, name)
);

create table endpoint (
  id text collate "C" primary key,
  account_id text collate "C" not null references account (id),
  key_id text collate "C" not null default '', -- of the API key it was made with
  name text not null,
  template_id text collate "C" not null,
  spec text not null,
  version bigint not null,
  created_at bigint not null,
  deleted_at bigint
);
create index endpoint_by_template on endpoint (template_id) where deleted_at is null;

-- What an endpoint's workers of one version run; written when the version begins.
create table release (
  endpoint_id text collate "C" not null,
  version bigint not null,
  workload text not null,
  reason text not null,
  created_at bigint not null,
  primary key (endpoint_id, version)
);

create table worker (
  id text collate "C" primary key,
  endpoint_id text collate "C" not null,
  version bigint not null,
  machine text collate "C" not null,  -- where it runs
  driver text not null,
  key_hash text collate "C" not null unique,
  gpu_type_id text,
  gpus text not null,                 -- indices of its GPUs by commas, also after it ended
  virtual bigint not null,            -- 1 where they exist on paper only
  vcpus bigint not null,              -- what of its machine is its alone
  memory_mb bigint not null,
  disk_gb bigint not null,
  rate bigint not null default 0,     -- micro-dollars per hour while it runs
  desired text not null,              -- run, drain, end
  desired_reason text,
  taking bigint not null,             -- 1 while it may be given jobs
  observed text not null,             -- new, running, ended
  created_at bigint not null,
  started_at bigint,
  ready_at bigint,                    -- its first poll or ping
  freed_at bigint,                    -- when a job last left it
  pinged_at bigint,
  ping_version text,
  polled_idle_at bigint,              -- last poll that said it holds nothing
  stop_polled_at bigint,
  seen_at bigint,
  served bigint not null default 0,
  unhealthy text,                     -- its own report, or ours, that it cannot serve
  end_asked_at bigint,
  signalled_at bigint,                -- when it was told to end: from here on its polls are let go
  ended_at bigint,
  exit_code bigint,
  signal text,
  end_cause text                      -- why it ended, where that is certain
);
create index worker_live on worker (endpoint_id) where observed <> 'ended';
create index worker_on_machine on worker (machine) where observed <> 'ended';
create index worker_ended on worker (endpoint_id, ended_at) where observed = 'ended';

create table job (
  seq bigint generated by default as identity primary key, -- the order of submission; never lent again
  id text collate "C" not null unique,
  endpoint_id text collate "C" not null,
  state text not null,
  sync bigint not null,
  priority bigint not null,
  low_priority bigint not null,
  submitted_at bigint not null,
  queued_at bigint not null,          -- when this attempt began to wait
  ttl_ms bigint not null,
  ttl_at bigint not null,
  execution_ms bigint not null,
  keep_ms bigint not null,
  forget_at bigint,                   -- when its retention is over; null while it lives
  webhook text,
  extras text,                        -- further keys that the worker is given, as JSON members
  input text,                         -- either the text itself or, if long, a payload
  input_payload text collate "C",
  worker_id text collate "C",
  taken_at bigint,
  lease_until bigint,
  attempts bigint not null default 0,
  retries bigint not null default 0,
  finished_at bigint,
  output text,
  output_payload text collate "C",
  error text,
  chunks bigint not null default 0,
  drained bigint not null default 0   -- chunks that a reader was given
);
-- The ready queue, in the order of dispatch.
create index job_ready on job (endpoint_id, priority desc, seq) where state = 'IN_QUEUE';
create index job_held on job (worker_id) where state = 'IN_PROGRESS';
create index job_expiring on job (ttl_at) where state = 'IN_QUEUE';
create index job_forgettable on job (forget_at) where forget_at is not null;
create index job_low on job (endpoint_id) where state = 'IN_QUEUE' and low_priority = 1;

-- Attempts that ended without the job ending; the current one is in the job itself.
create table attempt (
  job_seq bigint not null,
  n bigint not null,
  worker_id text collate "C" not null,
  taken_at bigint not null,
  ended_at bigint not null,
  outcome text not null,
  primary key (job_seq, n)
);

-- What a dispatch has yielded. A reader sees those of the job's own attempt; those of an earlier one
-- wait for its result, which still may be the one that counts.
create table chunk (
  job_seq bigint not null,
  attempt bigint not null,
  n bigint not null,
  output text not null,
  metrics text,
  primary key (job_seq, attempt, n)
);

-- Posts that came after the job had ended: evidence for why.
create table late_post (
  job_seq bigint not null,
  at bigint not null,
  worker_id text collate "C" not null,
  kind text not null,
  bytes bigint not null
);
create index late_post_by_job on late_post (job_seq);

-- Jobs that a worker must stop working on, until it no longer lists them.
create table stop (
  worker_id text collate "C" not null,
  job_id text collate "C" not null,
  asked_at bigint not null,
  told_at bigint,                     -- when the worker's stop poll last carried it
  primary key (worker_id, job_id)
);

-- Long texts, in pieces, so that no statement is large. Unbound ones are swept.
create table payload (
  id text collate "C" primary key,
  bytes bigint not null,
  bound bigint not null,
  created_at bigint not null
);
create index payload_unbound on payload (created_at) where bound = 0;
create table payload_piece (
  payload_id text collate "C" not null,
  part bigint not null,
  bytes bytea not null,
  primary key (payload_id, part)
);

create table delivery (
  job_seq bigint not null,
  n bigint not null,                  -- 1 for the first delivery, more when redelivered
  endpoint_id text collate "C" not null,
  message text not null,              -- the id its receiver sees, the same when delivered again
  url text not null,
  state text not null,                -- waiting, delivered, failed
  tries bigint not null default 0,
  due_at bigint,
  created_at bigint not null,
  primary key (job_seq, n)
);
create index delivery_due on delivery (endpoint_id, due_at) where state = 'waiting';
create table delivery_try (
  job_seq bigint not null,
  n bigint not null,
  try bigint not null,
  at bigint not null,
  status bigint,
  error text,
  took_ms bigint not null,
  primary key (job_seq, n, try)
);

create table idempotency (
  account_id text collate "C" not null,
  key text collate "C" not null,
  fingerprint text not null,
  answer text not null,
  expires_at bigint not null,
  primary key (account_id, key)
);
create index idempotency_expiry on idempotency (expires_at);

-- Counters per endpoint, written once a turn in the transaction of what they count. An endpoint's
-- counts are the sums over its slots: replicas use different ones, so that none waits for another.
create table tally (
  endpoint_id text collate "C" not null,
  slot bigint not null,               -- one of sixteen, by the connection that writes
  in_queue bigint not null,
  in_progress bigint not null,
  completed bigint not null,
  failed bigint not null,
  retried bigint not null,
  ever_completed bigint not null,   -- these also count jobs that are forgotten by now
  ever_failed bigint not null,
  primary key (endpoint_id, slot)
);

-- What happened to the jobs of an endpoint in a minute, for its history; forgotten after a day.
create table job_minute (
  endpoint_id text collate "C" not null,
  at bigint not null,                 -- when the minute began
  slot bigint not null,               -- as in tally
  queued bigint not null,             -- by how many more wait at its end than at its beginning
  running bigint not null,
  completed bigint not null,
  failed bigint not null,
  primary key (endpoint_id, at, slot)
);
create index job_minute_by_age on job_minute (at);

-- How long jobs waited and ran that stopped doing so in a minute.
create table job_span (
  endpoint_id text collate "C" not null,
  at bigint not null,
  what text collate "C" not null,                -- delay, execution
  size bigint not null,               -- see domain/job/durations.ts
  slot bigint not null,
  n bigint not null,
  primary key (endpoint_id, at, what, size, slot)
);
create index job_span_by_age on job_span (at);

-- Pods: what is wanted of each, where it is, what was seen of its container.
create table pod (
  id text collate "C" primary key,
  account_id text collate "C" not null references account (id),
  key_id text collate "C" not null default '', -- of the API key it was made with
  name text not null,
  spec text not null,                 -- what was asked for, as JSON
  state text collate "C" not null,             -- RUNNING, EXITED, TERMINATED: what is wanted
  cause text collate "C" not null,             -- the event that led to it
  reason text,                        -- and why, where it was none of a client's
  changed_at bigint not null,
  locked bigint not null,
  interruptible bigint not null,   -- 1 where it gives way to what runs on demand
  machine text collate "C" not null,
  driver text not null,
  gpu_type_id text,
  gpus text not null,                 -- indices of its GPUs by commas, also after they were let go
  virtual bigint not null,               -- 1 where they, and what comes with them, exist on paper only
  cpu_flavor_id text,
  vcpus bigint not null,
  memory_mb bigint not null,
  container_gb bigint not null,
  volume_gb bigint not null,
  cost bigint not null,                  -- micro-dollars per hour while it runs, its disks apart
  running_rate bigint not null,          -- with its disks
  stopped_rate bigint not null,          -- of its volume alone
  covered_gpus bigint not null default 0,    -- of its GPUs, those that a savings plan pays for
  round bigint not null,                 -- rises with every container that is wanted anew
  started_round bigint not null,         -- the one that was started last
  started_gpus text not null,         -- those that its last container was given
  observed text collate "C" not null,          -- none, starting, running, ended: its container
  start_at bigint not null,              -- not started before
  created_at bigint not null,
  started_at bigint,
  ended_at bigint,
  exit_code bigint,
  signal text,
  oom bigint not null default 0,         -- 1 where it was ended for want of memory
  ends text not null default '',      -- instants of ends that nobody asked for, by commas
  failed_starts bigint not null default 0,
  failing_since bigint,
  trouble text,                       -- why the last start failed
  trouble_cause text,                 -- in one word, where that is certain
  public_ip text,
  port_mappings text not null default '{}',
  stop_after bigint,
  terminate_after bigint
);
create index pod_of_account on pod (account_id) where state <> 'TERMINATED';
create index pod_on_machine on pod (machine);
create index pod_yielding on pod (machine) where interruptible = 1 and state = 'RUNNING';
create index pod_stopping on pod (stop_after) where stop_after is not null;
create index pod_ending on pod (terminate_after) where terminate_after is not null;

-- Who has which GPU: none is ever given twice.
create table held_gpu (
  machine text collate "C" not null,
  gpu bigint not null,
  holder text collate "C" not null,
  primary key (machine, gpu)
);
create index held_gpu_of_holder on held_gpu (holder);

-- Folders that outlive Pods and workers and are mounted into them. One has its data on the machine that
-- used it first, and nowhere else.
create table network_volume (
  id text collate "C" primary key,
  account_id text collate "C" not null references account (id),
  name text not null,
  size bigint not null,                 -- GB; it only grows
  data_center_id text not null,
  machine text collate "C",                       -- which has its data; null before anything used it
  virtual bigint not null default 0,    -- 1 where its size exists on paper only
  used_bytes bigint,                    -- what was in it when it was measured last
  created_at bigint not null,
  deleted_at bigint                     -- from then on nobody sees it; its data is being removed
);
create index network_volume_of_account on network_volume (account_id) where deleted_at is null;
create index network_volume_on_machine on network_volume (machine) where machine is not null;

-- What happened to a Pod or a worker, in words; the newest of each.
create table system_line (
  workload text collate "C" not null,
  n bigint not null,                 -- rises with every line, from 1
  at bigint not null,
  line text not null,
  event text,                        -- what happened to a Pod; null: a line and no more
  was text,                          -- of what was wanted of it or seen of its container
  became text,
  actor text,                        -- who or what it came from
  key_id text,                       -- where somebody asked with a key
  primary key (workload, n)
);

-- What earlier containers of a workload printed, in compressed pieces; the newest of each.
create table kept_log (
  workload text collate "C" not null,
  part bigint not null,              -- rises with every piece, from 1
  lines bigint not null,
  chars bigint not null,             -- of their text
  bytes bytea not null,
  primary key (workload, part)
);

-- Which public port of a machine leads to which Pod; a stopped one keeps its own.
create table pod_port (
  machine text collate "C" not null,
  port bigint not null,
  pod_id text collate "C" not null,
  primary key (machine, port)
);
create index pod_port_of_pod on pod_port (pod_id);

-- What opens registries of images. Sealed texts are opened by a key that is not in here.
create table registry_auth (
  id text collate "C" primary key,
  account_id text collate "C" not null references account (id),
  name text not null,
  credentials text not null,          -- sealed: username and password, as JSON
  created_at bigint not null,
  unique (account_id, name)
);

-- Images that were pulled with somebody's credentials.
create table private_image (
  image text collate "C" not null,                   -- its own id, or a name while it is pulled
  machine text collate "C" not null,        -- on which the name is meant; empty: on all
  primary key (image, machine)
);

-- Values that a workload's variables refer to by name.
create table secret (
  id text collate "C" primary key,
  account_id text collate "C" not null references account (id),
  name text not null,
  description text not null,
  value text not null,                -- sealed
  created_at bigint not null,
  changed_at bigint not null,
  unique (account_id, name)
);

-- Public keys that Pods are told of.
create table ssh_key (
  id text collate "C" primary key,
  account_id text collate "C" not null references account (id),
  name text not null,
  public_key text not null,
  fingerprint text collate "C" not null,
  created_at bigint not null,
  unique (account_id, fingerprint)
);

-- Servers on this database, each with the machine whose workers it looks after.
create table replica (
  id text collate "C" primary key,
  machine text collate "C" not null unique,
  drivers text not null,              -- names, by commas
  address text not null,              -- where other replicas reach it
  inventory text not null,            -- what its machine offers, as JSON
  started_at bigint not null,
  seen_at bigint not null,
  stopped_at bigint,                 -- it said that it goes
  lost_at bigint,                    -- its machine was given up
  draining bigint not null default 0, -- 1 where nothing new is placed on its machine
  maintenance_start bigint,
  maintenance_end bigint,
  maintenance_note text
);

-- Machines at an address of their own, which one of the replicas attends at a time.
create table remote_machine (
  id text collate "C" primary key,
  name text not null,                 -- for people; empty for none
  address text collate "C" not null unique,       -- ssh://user@host:22/var/run/docker.sock, tcp://host:2376
  secrets text not null,              -- sealed: a private key, or keys for TLS, as JSON
  offer text not null,                -- what its operator says of it, as JSON
  host_key text,                      -- the first that was seen, unless it was forgotten
  way_back_port bigint,               -- at which its containers reach the service
  trouble text,                       -- why it is not attended, in a sentence
  added_at bigint not null
);

-- Work that one replica does for all: who has it, and until when if nothing more is heard.
create table duty (
  name text primary key,
  holder text not null,
  until bigint not null
);

-- Rows of jobs come, change twice and go: what is dead is cleared away early, and updates find room.
alter table job set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table tally set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000);
alter table job_minute set (fillfactor = 50);
alter table job_span set (fillfactor = 50);
-- Already compressed by whoever cared; compressing again costs more than it saves.
alter table job alter column input set storage external;
alter table job alter column output set storage external;
alter table payload_piece alter column bytes set storage external;
alter table kept_log alter column bytes set storage external;

-- How long something was as it was, at one rate. Charged up to metered_to; see store/money/charge.ts.
create table usage (
  id bigint generated by default as identity primary key,
  account_id text collate "C" not null references account (id),
  kind text collate "C" not null,                 -- pod, worker, volume
  resource_id text collate "C" not null,
  endpoint_id text collate "C" not null,          -- these texts are empty where there is nothing to say
  gpu_type_id text collate "C" not null,
  data_center_id text collate "C" not null,
  image_name text collate "C" not null,
  template_id text collate "C" not null,
  key_id text collate "C" not null, -- of the API key it was made with
  running bigint not null,           -- 0 where its disks alone are billed
  disk_gb bigint not null,
  rate bigint not null,              -- micro-dollars per hour
  carry bigint not null,             -- what the one before left over: 1/3,600,000 micro-dollars
  continues bigint not null default 0,     -- 1 where the one before went on, at another price
  began_at bigint not null,
  ended_at bigint,                   -- null while it goes on
  metered_to bigint not null,        -- what was charged ends here
  metered_from bigint not null,      -- where the transaction named by pass began
  pass bigint
) with (fillfactor = 50); -- room for what charging changes beside what it was
create index usage_of on usage (resource_id, id);
create index usage_by_account on usage (account_id, kind, id);
create unique index usage_open on usage (resource_id) where ended_at is null;
create index usage_open_of on usage (account_id) where ended_at is null;
-- In this order they are charged. None is on what charging changes: a pass would write it as well.
create index usage_open_in_order on usage (id) where ended_at is null;

-- What an account spent in an hour, and in a day, by all that a history is asked for.
create table spend_hour (
  account_id text collate "C" not null,
  kind text collate "C" not null,
  at bigint not null,
  endpoint_id text collate "C" not null,
  gpu_type_id text collate "C" not null,
  data_center_id text collate "C" not null,
  image_name text collate "C" not null,
  template_id text collate "C" not null,
  key_id text collate "C" not null,
  run_ms bigint not null,
  ms bigint not null,
  gb_ms bigint not null,
  micros bigint not null,
  primary key (account_id, kind, at, endpoint_id, gpu_type_id, data_center_id, image_name, template_id,
    key_id)
);
create table spend_day (
  account_id text collate "C" not null,
  kind text collate "C" not null,
  at bigint not null,
  endpoint_id text collate "C" not null,
  gpu_type_id text collate "C" not null,
  data_center_id text collate "C" not null,
  image_name text collate "C" not null,
  template_id text collate "C" not null,
  key_id text collate "C" not null,
  run_ms bigint not null,
  ms bigint not null,
  gb_ms bigint not null,
  micros bigint not null,
  primary key (account_id, kind, at, endpoint_id, gpu_type_id, data_center_id, image_name, template_id,
    key_id)
);

-- Double entry, append only: a transaction's entries come to nothing.
create table ledger_transaction (
  id bigint generated by default as identity primary key,
  at bigint not null,
  kind text collate "C" not null,                 -- usage, top_up, adjustment
  note text not null
);
create table ledger_entry (
  id bigint generated by default as identity primary key,
  transaction_id bigint not null references ledger_transaction (id),
  account_id text collate "C" not null,
  book text collate "C" not null,                 -- balance, revenue, funds
  micros bigint not null
);
create index ledger_entry_of on ledger_entry (transaction_id);
create table ledger_balance (
  account_id text collate "C" not null,
  book text collate "C" not null,
  micros bigint not null,
  primary key (account_id, book)
);

-- What the operator has set otherwise than the catalog's file; the last change of each price holds.
create table price_change (
  seq bigint generated by default as identity primary key,
  at bigint not null,
  key_id text collate "C" not null,
  kind text collate "C" not null,                 -- gpuType, cpuFlavor, storage
  id text collate "C" not null,                   -- of the GPU type or CPU flavor; empty for storage
  price text collate "C" not null,
  micros_from bigint,                    -- null where there was, or is, no such price
  micros_to bigint,
  reset bigint not null                  -- 1 where it is the file's from now on
);
create index price_change_of on price_change (kind, id, price, seq);

-- One row: the last change. Whoever prices something holds it, whoever changes prices locks it.
create table price_book (
  seq bigint not null
);
insert into price_book (seq) values (0);

-- GPUs that are paid for in advance; the Pod that each plan covers, or covered last.
create table savings_plan (
  id text collate "C" primary key,
  account_id text collate "C" not null references account (id),
  gpu_type_id text collate "C" not null,
  gpu_count bigint not null,
  length text collate "C" not null,               -- threeMonth, sixMonth
  cost_per_hr bigint not null,           -- micro-dollars per GPU; 0 where the operator gave it
  upfront_cost bigint not null,          -- micro-dollars
  pod_id text collate "C",
  start_at bigint not null,
  end_at bigint not null,
  ended bigint not null default 0        -- 1 once its end was seen
);
create index savings_plan_of on savings_plan (account_id, gpu_type_id) where ended = 0;
create index savings_plan_due on savings_plan (end_at) where ended = 0;

-- What an account, an endpoint or what was made with a key may spend in each hour, day or month.
create table budget (
  id text collate "C" primary key,
  account_id text collate "C" not null references account (id),
  name text not null,
  scope text collate "C" not null,             -- account, endpoint, key
  subject_id text collate "C" not null,        -- of the endpoint or the key; empty for the account
  period text collate "C" not null,            -- hour, day, month
  micros bigint not null,           -- the most that may be spent in one
  warned_at bigint,                 -- when most of it was last seen spent
  warned_until bigint,              -- the end of the period in which that was
  spent_at bigint,                  -- the same of all of it
  spent_until bigint,
  created_at bigint not null
);
create index budget_of on budget (account_id);

-- Who did what, from when on and by which key; only ever added to, until its time is over.
create table audit (
  seq bigint generated by default as identity primary key,
  account_id text collate "C" not null,
  at bigint not null,
  key_id text collate "C",                      -- null where a Pod or the service itself did it
  pod_id text collate "C",
  via text collate "C" not null,                -- rest, graphql, system
  operation text collate "C" not null,
  resource_type text collate "C" not null,
  resource_id text collate "C" not null,
  outcome text collate "C" not null,            -- done, refused
  detail text not null,
  address text not null
);
create index audit_of_account on audit (account_id, seq);
create index audit_by_age on audit (at);
