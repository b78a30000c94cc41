// The fault catalog: every error that the product returns, with its status, its cause and whether a
// retry can succeed. A test keeps docs/errors.md equal to it. This file imports nothing.

/** A machine that cannot take a workload, and why. */
export interface PassedOver {
  machine: string;
  reason: string;
  /** What is reserved for others or guaranteed to them, if that keeps the workload from its GPUs, as sentences. */
  withheldTexts?: string[];
}

interface Row {
  status: number;
  /** What must change for the request to succeed: the request, a resource's state, or the service. */
  blame: "caller" | "state" | "service";
  /** Whether the same request can succeed later without a change. */
  retry: boolean;
  /** The public sentence; `{name}` is replaced by the fact of that name. */
  sentence: string;
}

export const faultCatalog = {
  invalid_http: row(400, "caller", "The request is not valid HTTP: {detail}."),
  invalid_json: row(400, "caller", "{detail}."),
  too_deep: row(400, "caller", "The body is nested deeper than {limit} levels."),
  invalid_body: row(400, "caller", "{detail}"),
  invalid_input: row(
    400,
    "caller",
    'The field "input" must be a JSON object such as {"name": "you"}; {got}.',
  ),
  invalid_query: row(400, "caller", "{detail}"),
  invalid_id: row(
    400,
    "caller",
    'The {noun} id "{id}" is not valid: an id has 1 to 64 letters, digits, "_" or "-".',
  ),
  invalid_document: row(400, "caller", "{detail}"),
  // The text that clients with persisted queries look for; they send the document then.
  persisted_query_not_supported: row(400, "caller", "PersistedQueryNotSupported"),
  document_too_large: row(
    400,
    "caller",
    "The document is too large: it can have at most {limit} {what}.",
  ),
  unknown_field: row(400, "caller", 'Extra input keys provided in request body: "{field}". {hint}'),
  not_offered: row(400, "caller", "{detail}"),
  not_queue_based: row(400, "caller", "not allowed for QB API"),
  not_load_balancing: row(
    400,
    "caller",
    "Endpoint {id} has a queue and takes no requests at this address; send jobs to /v2/{id}/run.",
  ),
  worker_timeout: row(400, "state", "timed out waiting for worker", true),
  no_workers_available: row(400, "state", "no workers available", true),
  not_retriable: row(
    400,
    "state",
    "Job {id} is {status}; only a FAILED or TIMED_OUT job can be retried.",
  ),
  cannot_roll_back: row(400, "state", "The roll-back is not possible: {detail}."),
  too_many_running: row(
    400,
    "state",
    "{limit} {nouns} are running, which is the limit; wait until one ends, or cancel one.",
    true,
  ),
  action_changes_no_jobs: row(
    400,
    "caller",
    "The action {action} changes no job that is {status}; name another status, or none.",
  ),
  job_not_ended: row(
    400,
    "state",
    "Job {id} is {status}; its webhook can be called again only after the job ends.",
  ),
  pod_locked: row(
    400,
    "state",
    'Pod {id} is locked and refuses {event}; set "locked" to false first.',
  ),
  pod_not_running: row(400, "state", "Pod {id} is {state}; {event} requires a RUNNING Pod."),
  no_command: row(
    400,
    "caller",
    'This Pod would run as a process, which needs a command in "dockerStartCmd"; an image alone is not enough.',
  ),
  flash_environment_in_use: row(
    400,
    "state",
    "Endpoints of Flash environment {id} exist; delete them first: {endpoints}.",
  ),
  template_in_use: row(
    400,
    "state",
    "Template {id} is used by {users}; delete or change them first.",
  ),
  network_volume_in_use: row(
    400,
    "state",
    "Network volume {id} is used by {users}; delete them first.",
  ),
  registry_auth_in_use: row(
    400,
    "state",
    "Container registry auth {id} is used by {users}; delete or change them first.",
  ),
  machine_in_use: row(
    400,
    "state",
    "Machine {id} still has {users}; delete them first, or set force=true to delete them with the machine.",
  ),
  cluster_refused: row(400, "caller", "The cluster cannot be used: {detail}"),
  machine_of_cluster: row(
    400,
    "caller",
    "Machine {id} is a node of the cluster {cluster}; remove the node from Kubernetes, or remove the cluster.",
  ),
  machine_known: row(400, "caller", "A machine at {address} already exists."),
  ssh_key_known: row(
    400,
    "state",
    "You already have this SSH key; its fingerprint is {fingerprint}.",
  ),
  no_start_command: row(
    400,
    "caller",
    'Template {id} would run as a process, which needs a command in "dockerStartCmd"; an image alone is not enough.',
  ),
  too_many_ports: row(
    400,
    "state",
    "The request needs {count} public ports, and the account's other Pods have {used} of at most {limit}; remove TCP ports, or delete Pods.",
  ),
  too_many_of_kind: row(400, "state", "An account has at most {limit} {nouns}; delete one first."),
  storage_full: row(
    400,
    "state",
    "The account stores {stored} of at most {limit}, and this would add {added}; purge queues, delete Pods, endpoints or templates, or wait until the retention of jobs is over.",
    true,
  ),
  name_taken: row(400, "state", 'Another {noun} has the name "{name}"; names are unique.'),
  clock_not_virtual: row(400, "state", "The clock is the system's; start with --clock virtual."),
  clock_fixed: row(403, "state", "The clock is fixed: a request came through a reverse proxy."),
  faults_not_allowed: row(403, "state", "This service allows no faults; set FREEHOLD_FAULTS=on."),
  unknown_fault: row(400, "caller", 'There is no fault "{name}". The faults are: {names}.'),
  fault_elsewhere: row(400, "caller", 'The fault "{name}" cannot strike this request.'),
  machine_keeps_time: row(
    400,
    "state",
    "This service has a virtual clock, and other machines keep their own time; add machines to a service with the system's clock.",
  ),
  clock_backward: row(
    400,
    "caller",
    "The clock is at {now} and moves only forward; {to} is earlier. Start with a new data folder to go back.",
  ),
  unauthorized: row(
    401,
    "caller",
    'The request has no valid API key. Send "Authorization: Bearer <key>".',
  ),
  no_token: row(401, "caller", "no token provided"),
  invalid_token: row(401, "caller", "invalid api key"),
  forbidden: row(403, "caller", "{detail}"),
  not_owner: row(403, "caller", "Your role, member, reaches only what belongs to you: {detail}."),
  template_official: row(
    403,
    "caller",
    "Template {id} is an official template, which accounts can use but not change or delete.",
  ),
  route_not_found: row(404, "caller", "There is no route {method} {path}."),
  endpoint_not_found: row(404, "caller", "There is no endpoint {id}."),
  release_not_found: row(404, "caller", "Endpoint {id} has no release of version {version}."),
  template_not_found: row(404, "caller", "There is no template {id}."),
  network_volume_not_found: row(404, "caller", "There is no network volume {id}."),
  machine_not_found: row(404, "caller", "There is no machine {id}."),
  installation_not_found: row(
    404,
    "caller",
    "Machine {machine} has nothing of an installation {id}.",
  ),
  registry_auth_not_found: row(404, "caller", "There is no container registry auth {id}."),
  secret_not_found: row(404, "caller", "There is no secret {id}."),
  s3_key_not_found: row(404, "caller", "There is no S3 key {id}."),
  flash_app_not_found: row(404, "caller", "Flash app not found: {id}."),
  flash_environment_not_found: row(404, "caller", "Flash environment not found: {id}."),
  flash_build_not_found: row(404, "caller", "Flash build not found: {id}."),
  ssh_key_not_found: row(404, "caller", "There is no SSH key {id}."),
  cluster_not_found: row(404, "caller", "There is no cluster {id}."),
  sandbox_not_found: row(404, "caller", "There is no sandbox {id}."),
  pod_not_found: row(404, "caller", "There is no Pod {id}."),
  budget_not_found: row(404, "caller", "There is no budget {id}."),
  notification_rule_not_found: row(404, "caller", "There is no notification rule {id}."),
  notification_not_found: row(
    404,
    "caller",
    "There is no notification {id}, or it was sent more than 7 days ago.",
  ),
  savings_plan_not_found: row(404, "caller", "There is no savings plan {id}."),
  port_not_found: row(404, "caller", 'Pod {id} has no port "{port}/http".'),
  no_such_site: row(404, "caller", "{detail}"),
  job_not_found: row(
    404,
    "caller",
    "There is no job {id} on this endpoint, or its result has expired.",
  ),
  job_operation_not_found: row(404, "caller", "There is no operation on jobs {id}."),
  batch_not_found: row(404, "caller", "There is no batch {id}."),
  schedule_not_found: row(404, "caller", "There is no schedule {id}."),
  worker_not_found: row(404, "caller", "There is no worker {id}."),
  affinity_worker_gone: row(404, "caller", "There is no worker {id} of this endpoint any more."),
  account_not_found: row(404, "caller", "There is no account {id}."),
  member_not_found: row(404, "caller", "There is no member {id}."),
  project_not_found: row(404, "caller", "There is no project {id}."),
  exemption_not_found: row(404, "caller", "There is no exemption {id}, or it has ended."),
  reservation_not_found: row(404, "caller", "There is no reservation {id}, or it was cancelled."),
  reservation_feed_not_found: row(404, "caller", "There is no such calendar feed, or it ended."),
  reservation_full: row(
    409,
    "state",
    "{reserved} of {total} {type} are reserved {time}, and {gpuCount} more are asked for. Choose another time, or fewer GPUs.",
  ),
  reservation_share: row(
    409,
    "state",
    "A member reserves at most {limit} of {total} {type} at one time, {percent}% of them. {holder} reserved {reserved}, and this adds {gpuCount}. Ask for fewer, choose another time, or ask an admin of the account to reserve for your project.",
  ),
  guarantee_full: row(
    409,
    "state",
    "{gpuCount} {type} would be kept, {guaranteed} are guaranteed to other projects, and the machines offer {total}. Ask for fewer, or add machines.",
  ),
  member_elsewhere: row(
    400,
    "state",
    'The member {member} is in the project "{project}"; a member is in one project at the most.',
  ),
  invitation_not_found: row(404, "caller", "There is no invitation {id}."),
  invitation_over: row(
    404,
    "state",
    "This invitation is not valid: it was accepted, withdrawn, or has expired. Ask for a new one.",
  ),
  key_not_found: row(404, "caller", "There is no API key {id}."),
  device_login_not_found: row(
    404,
    "caller",
    "There is no such device login, or it ended more than an hour ago.",
  ),
  session_not_found: row(404, "caller", "There is no session {id}, or it has ended."),
  delivery_not_found: row(404, "caller", "{subject} {id} has no webhook delivery number {n}."),
  subject_not_found: row(404, "caller", "There is no job, worker, Pod or endpoint {id}."),
  resource_not_found: row(404, "caller", "There is no resource {id}."),
  method_not_allowed: row(
    405,
    "caller",
    "{path} does not support {method}; it supports {allowed}.",
  ),
  too_dear: row(
    400,
    "state",
    'There are no longer any instances available with the requested specifications: the lowest price is {cost} dollars per hour, and "deployCost" is {limit}.',
  ),
  cluster_no_capacity: row(
    400,
    "state",
    "There are no longer any instances available with the requested specifications (insufficient capacity): the cluster needs {count} Pods and there is room for {room}. {detail}",
  ),
  invalid_fields: row(422, "caller", "{detail}"),
  pod_action_refused: row(
    409,
    "state",
    "Pod {id} is {status} and refuses {action}; it accepts {actions}.",
  ),
  pod_queued: row(409, "state", "Pod {id} waits in line; delete it to leave the line."),
  too_many_queued: row(400, "state", "Your account has {limit} Pods in line; delete one first."),
  cluster_member: row(
    409,
    "state",
    "Pod {id} is a member of cluster {cluster}; members are not changed, stopped or deleted alone.",
  ),
  device_login_over: row(409, "state", "This device login is {status}; begin a new one."),
  sandbox_starting: row(409, "state", "Sandbox {id} is still starting; try again.", true),
  sandbox_ended: row(409, "state", "Sandbox {id} has ended: {reason}."),
  idempotency_conflict: row(
    409,
    "caller",
    "This Idempotency-Key was used within the last 24 hours with a different request.",
  ),
  body_type_not_taken: row(415, "caller", "{detail}."),
  payload_too_large: row(
    413,
    "caller",
    "The body is larger than the limit of this operation, {limit} bytes.",
  ),
  result_too_large: row(413, "caller", "The result has {bytes} bytes; the limit is {limit}."),
  request_timeout: row(408, "caller", "The request did not arrive completely in time.", true),
  upgrade_required: row(
    426,
    "caller",
    'This route needs a WebSocket: connect with "Upgrade: websocket".',
  ),
  headers_too_large: row(431, "caller", "The URL and the headers together are too long."),
  too_many_connections: row(
    429,
    "caller",
    "Your address already has {limit} connections without a valid API key. Close some, or send your key on them.",
    true,
  ),
  rate_limited: row(429, "caller", "Too many requests: {detail}.", true),
  no_credits: row(
    402,
    "state",
    "The credits must cover one hour of everything that runs; {missing} dollars are missing.",
  ),
  budget_spent: row(
    402,
    "state",
    "{what}; resources that it covers cannot start before {until} unless its limit is raised.",
  ),
  quota_exceeded: row(400, "state", "{held}, and this adds {added}. {advice}."),
  no_capacity: row(500, "state", "create pod: There are no instances currently available."),
  machine_full: row(
    500,
    "state",
    "start pod: There are not enough free {what} on the host machine to start this pod.",
  ),
  no_longer_offered: row(400, "state", "start pod: The catalog no longer offers {what}."),
  cuda_unfit: row(
    400,
    "state",
    "start pod: The Pod's machine has {has}, and the Pod requires CUDA {required}.",
  ),
  no_disk: row(
    500,
    "state",
    "Machine {machine} has {free} GB of free disk; the request needs {more} GB more.",
  ),
  internal: row(500, "service", "An internal error occurred; it was logged as {ref}."),
  store_unavailable: row(503, "service", "The store is unavailable right now; try again.", true),
  disk_full: row(
    507,
    "service",
    "The service's disk is full: new jobs are refused until there is room.",
    true,
  ),
  too_many_held: row(
    429,
    "state",
    "{limit} requests already wait for a worker of this endpoint; try again.",
    true,
  ),
  worker_failed: row(502, "state", "Worker {id} did not answer: {why}.", true),
  worker_too_slow: row(524, "state", "The worker did not answer completely within {s} s."),
  pod_unreachable: row(502, "state", "Port {port} of Pod {id} is unreachable: {why}.", true),
  worker_unreachable: row(
    503,
    "service",
    "The machine of {id} is unreachable right now; try again.",
    true,
  ),
  too_busy: row(
    503,
    "service",
    "Too many large request bodies are being read right now; try again.",
    true,
  ),
  starting: row(503, "service", "The service is starting: it {step}; try again in a moment.", true),
  stopping: row(503, "service", "The service is stopping; try again in a moment.", true),
} satisfies Record<string, Row>;

export type FaultCode = keyof typeof faultCatalog;
export type Facts = Record<string, string | number>;

function row(status: number, blame: Row["blame"], sentence: string, retry = false): Row {
  return { status, blame, sentence, retry };
}

/** An error with a code from the catalog. `message` is the public sentence. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  readonly status: number;
  readonly retryAfterS: number | null;
  /** The reason for each machine that does not fit, if none fits. */
  readonly passedOver: readonly PassedOver[] | null;
  /** An entry for each invalid field, if the request is not valid. */
  readonly errors: readonly string[] | null;

  constructor(
    code: FaultCode,
    facts: Facts = {},
    options: {
      retryAfterS?: number;
      passedOver?: readonly PassedOver[];
      errors?: readonly string[];
    } = {},
  ) {
    super(sentence(code, facts));
    this.code = code;
    this.status = faultCatalog[code].status;
    this.passedOver = options.passedOver ?? null;
    this.errors = options.errors ?? null;
    this.retryAfterS = options.retryAfterS ?? (faultCatalog[code].retry ? 1 : null);
  }
}

function sentence(code: FaultCode, facts: Facts): string {
  return faultCatalog[code].sentence.replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(facts[name] ?? whole),
  );
}
