// The fault catalog: every error that the product returns, with its status, its cause and whether a
// retry can succeed. A test keeps docs/errors.md equal to it. This file imports nothing.

interface Row {
  status: number;
  /** What must change for the request to succeed: the request, a resource's state, or the service. */
  blame: "caller" | "state" | "service";
  /** Whether the same request can succeed later without a change. */
  retry: boolean;
  /** The public sentence; `{name}` is replaced by the fact of that name. */
  sentence: string;
}

type RowOf = (status: number, sentence: string, retry?: boolean) => Row;

const rowOf =
  (blame: Row["blame"]): RowOf =>
  (status, sentence, retry = false) => ({ status, blame, sentence, retry });

const [caller, state, service] = [rowOf("caller"), rowOf("state"), rowOf("service")];

export const faultCatalog = {
  invalid_http: caller(400, "The request is not valid HTTP: {detail}."),
  invalid_json: caller(400, "{detail}."),
  too_deep: caller(400, "The body is nested deeper than {limit} levels."),
  invalid_body: caller(400, "{detail}"),
  invalid_input: caller(
    400,
    'The field "input" must be a JSON object such as {"name": "you"}; {got}.',
  ),
  invalid_query: caller(400, "{detail}"),
  invalid_id: caller(
    400,
    'The {noun} id "{id}" is not valid: an id has 1 to 64 letters, digits, "_" or "-".',
  ),
  invalid_document: caller(400, "{detail}"),
  // The text that clients with persisted queries look for; they send the document then.
  persisted_query_not_supported: caller(400, "PersistedQueryNotSupported"),
  document_too_large: caller(400, "The document is too large: it can have at most {limit} {what}."),
  password_refused: caller(400, "The password {detail}."),
  unknown_field: caller(400, 'Extra input keys provided in request body: "{field}". {hint}'),
  not_offered: caller(400, "{detail}"),
  not_queue_based: caller(400, "not allowed for QB API"),
  not_load_balancing: caller(
    400,
    "Endpoint {id} has a queue and takes no requests at this address; send jobs to /v2/{id}/run.",
  ),
  worker_timeout: state(400, "timed out waiting for worker", true),
  no_workers_available: state(400, "no workers available", true),
  not_retriable: state(400, "Job {id} is {status}; only a FAILED or TIMED_OUT job can be retried."),
  cannot_roll_back: state(400, "The roll-back is not possible: {detail}."),
  too_many_running: state(
    400,
    "{limit} {nouns} are running, which is the limit; wait until one ends, or cancel one.",
    true,
  ),
  action_changes_no_jobs: caller(
    400,
    "The action {action} changes no job that is {status}; name another status, or none.",
  ),
  job_not_ended: state(
    400,
    "Job {id} is {status}; its webhook can be called again only after the job ends.",
  ),
  pod_locked: state(400, 'Pod {id} is locked and refuses {event}; set "locked" to false first.'),
  pod_not_running: state(400, "Pod {id} is {state}; {event} requires a RUNNING Pod."),
  no_command: caller(
    400,
    'This Pod would run as a process, which needs a command in "dockerStartCmd"; an image alone is not enough.',
  ),
  flash_environment_in_use: state(
    400,
    "Endpoints of Flash environment {id} exist; delete them first: {endpoints}.",
  ),
  template_in_use: state(400, "Template {id} is used by {users}; delete or change them first."),
  network_volume_in_use: state(400, "Network volume {id} is used by {users}; delete them first."),
  registry_auth_in_use: state(
    400,
    "Container registry auth {id} is used by {users}; delete or change them first.",
  ),
  machine_in_use: state(
    400,
    "Machine {id} still has {users}; delete them first, or set force=true to delete them with the machine.",
  ),
  cluster_refused: caller(400, "The cluster cannot be used: {detail}"),
  machine_of_cluster: caller(
    400,
    "Machine {id} is a node of the cluster {cluster}; remove the node from Kubernetes, or remove the cluster.",
  ),
  machine_known: caller(400, "A machine at {address} already exists."),
  ssh_key_known: state(400, "You already have this SSH key; its fingerprint is {fingerprint}."),
  no_start_command: caller(
    400,
    'Template {id} would run as a process, which needs a command in "dockerStartCmd"; an image alone is not enough.',
  ),
  too_many_ports: state(
    400,
    "The request needs {count} public ports, and the account's other Pods have {used} of at most {limit}; remove TCP ports, or delete Pods.",
  ),
  too_many_of_kind: state(400, "An account has at most {limit} {nouns}; delete one first."),
  storage_full: state(
    400,
    "The account stores {stored} of at most {limit}, and this would add {added}; purge queues, delete Pods, endpoints or templates, or wait until the retention of jobs is over.",
    true,
  ),
  name_taken: state(400, 'Another {noun} has the name "{name}"; names are unique.'),
  clock_not_virtual: state(400, "The clock is the system's; start with --clock virtual."),
  clock_fixed: state(403, "The clock is fixed: a request came through a reverse proxy."),
  faults_not_allowed: state(403, "This service allows no faults; set FREEHOLD_FAULTS=on."),
  unknown_fault: caller(400, 'There is no fault "{name}". The faults are: {names}.'),
  fault_elsewhere: caller(400, 'The fault "{name}" cannot strike this request.'),
  machine_keeps_time: state(
    400,
    "This service has a virtual clock, and other machines keep their own time; add machines to a service with the system's clock.",
  ),
  clock_backward: caller(
    400,
    "The clock is at {now} and moves only forward; {to} is earlier. Start with a new data folder to go back.",
  ),
  unauthorized: caller(
    401,
    'The request has no valid API key. Send "Authorization: Bearer <key>".',
  ),
  no_token: caller(401, "no token provided"),
  invalid_token: caller(401, "invalid api key"),
  sign_in_failed: caller(401, "The e-mail address or the password is not right."),
  code_required: caller(
    401,
    'This sign-in needs a one-time code of your authenticator app, or a recovery code, in "code".',
  ),
  forbidden: caller(403, "{detail}"),
  code_refused: caller(
    403,
    "The code is not right, or it was used before; wait for the next one of your app.",
  ),
  password_wrong: caller(403, "The current password is not right."),
  passwords_off: state(403, "This installation has no passwords: FREEHOLD_PASSWORDS is off."),
  passwords_of_provider: state(
    403,
    "{who} signs in with the organization's provider, and has no password here.",
  ),
  not_owner: caller(403, "Your role, member, reaches only what belongs to you: {detail}."),
  template_official: caller(
    403,
    "Template {id} is an official template, which accounts can use but not change or delete.",
  ),
  route_not_found: caller(404, "There is no route {method} {path}."),
  endpoint_not_found: caller(404, "There is no endpoint {id}."),
  release_not_found: caller(404, "Endpoint {id} has no release of version {version}."),
  template_not_found: caller(404, "There is no template {id}."),
  network_volume_not_found: caller(404, "There is no network volume {id}."),
  machine_not_found: caller(404, "There is no machine {id}."),
  installation_not_found: caller(404, "Machine {machine} has nothing of an installation {id}."),
  registry_auth_not_found: caller(404, "There is no container registry auth {id}."),
  secret_not_found: caller(404, "There is no secret {id}."),
  s3_key_not_found: caller(404, "There is no S3 key {id}."),
  flash_app_not_found: caller(404, "Flash app not found: {id}."),
  flash_environment_not_found: caller(404, "Flash environment not found: {id}."),
  flash_build_not_found: caller(404, "Flash build not found: {id}."),
  ssh_key_not_found: caller(404, "There is no SSH key {id}."),
  cluster_not_found: caller(404, "There is no cluster {id}."),
  sandbox_not_found: caller(404, "There is no sandbox {id}."),
  pod_not_found: caller(404, "There is no Pod {id}."),
  budget_not_found: caller(404, "There is no budget {id}."),
  notification_rule_not_found: caller(404, "There is no notification rule {id}."),
  notification_not_found: caller(
    404,
    "There is no notification {id}, or it was sent more than 7 days ago.",
  ),
  savings_plan_not_found: caller(404, "There is no savings plan {id}."),
  port_not_found: caller(404, 'Pod {id} has no port "{port}/http".'),
  no_such_site: caller(404, "{detail}"),
  job_not_found: caller(404, "There is no job {id} on this endpoint, or its result has expired."),
  job_operation_not_found: caller(404, "There is no operation on jobs {id}."),
  batch_not_found: caller(404, "There is no batch {id}."),
  schedule_not_found: caller(404, "There is no schedule {id}."),
  worker_not_found: caller(404, "There is no worker {id}."),
  affinity_worker_gone: caller(404, "There is no worker {id} of this endpoint any more."),
  account_not_found: caller(404, "There is no account {id}."),
  member_not_found: caller(404, "There is no member {id}."),
  project_not_found: caller(404, "There is no project {id}."),
  exemption_not_found: caller(404, "There is no exemption {id}, or it has ended."),
  reservation_not_found: caller(404, "There is no reservation {id}, or it was cancelled."),
  reservation_feed_not_found: caller(404, "There is no such calendar feed, or it ended."),
  reservation_full: state(
    409,
    "{reserved} of {total} {type} are reserved {time}, and {gpuCount} more are asked for. Choose another time, or fewer GPUs.",
  ),
  reservation_share: state(
    409,
    "A member reserves at most {limit} of {total} {type} at one time, {percent}% of them. {holder} reserved {reserved}, and this adds {gpuCount}. Ask for fewer, choose another time, or ask an admin of the account to reserve for your project.",
  ),
  guarantee_full: state(
    409,
    "{gpuCount} {type} would be kept, {guaranteed} are guaranteed to other projects, and the machines offer {total}. Ask for fewer, or add machines.",
  ),
  member_elsewhere: state(
    400,
    'The member {member} is in the project "{project}"; a member is in one project at the most.',
  ),
  invitation_not_found: caller(404, "There is no invitation {id}."),
  invitation_over: state(
    404,
    "This invitation is not valid: it was accepted, withdrawn, or has expired. Ask for a new one.",
  ),
  password_reset_over: state(
    404,
    "This link is not valid: it was used, replaced, or has expired. Ask for a new one.",
  ),
  key_not_found: caller(404, "There is no API key {id}."),
  device_login_not_found: caller(
    404,
    "There is no such device login, or it ended more than an hour ago.",
  ),
  session_not_found: caller(404, "There is no session {id}, or it has ended."),
  delivery_not_found: caller(404, "{subject} {id} has no webhook delivery number {n}."),
  subject_not_found: caller(404, "There is no job, worker, Pod, endpoint or schedule {id}."),
  resource_not_found: caller(404, "There is no resource {id}."),
  method_not_allowed: caller(405, "{path} does not support {method}; it supports {allowed}."),
  too_dear: state(
    400,
    'There are no longer any instances available with the requested specifications: the lowest price is {cost} dollars per hour, and "deployCost" is {limit}.',
  ),
  cluster_no_capacity: state(
    400,
    "There are no longer any instances available with the requested specifications (insufficient capacity): the cluster needs {count} Pods and there is room for {room}. {detail}",
  ),
  invalid_fields: caller(422, "{detail}"),
  pod_action_refused: state(
    409,
    "Pod {id} is {status} and refuses {action}; it accepts {actions}.",
  ),
  pod_queued: state(409, "Pod {id} waits in line; delete it to leave the line."),
  too_many_queued: state(400, "Your account has {limit} Pods in line; delete one first."),
  cluster_member: state(
    409,
    "Pod {id} is a member of cluster {cluster}; members are not changed, stopped or deleted alone.",
  ),
  several_accounts: caller(
    409,
    'This address and password sign in to several accounts: {accounts}. Name one in "accountId".',
  ),
  no_password: state(409, "You have no password; set one first."),
  totp_on: state(409, "One-time codes are on; remove them first to begin anew."),
  totp_not_begun: state(409, "There are no one-time codes to confirm; begin them first."),
  device_login_over: state(409, "This device login is {status}; begin a new one."),
  sandbox_starting: state(409, "Sandbox {id} is still starting; try again.", true),
  sandbox_ended: state(409, "Sandbox {id} has ended: {reason}."),
  idempotency_conflict: caller(
    409,
    "This Idempotency-Key was used within the last 24 hours with a different request.",
  ),
  body_type_not_taken: caller(415, "{detail}."),
  payload_too_large: caller(
    413,
    "The body is larger than the limit of this operation, {limit} bytes.",
  ),
  result_too_large: caller(413, "The result has {bytes} bytes; the limit is {limit}."),
  request_timeout: caller(408, "The request did not arrive completely in time.", true),
  upgrade_required: caller(426, 'This route needs a WebSocket: connect with "Upgrade: websocket".'),
  headers_too_large: caller(431, "The URL and the headers together are too long."),
  too_many_connections: caller(
    429,
    "Your address already has {limit} connections without a valid API key. Close some, or send your key on them.",
    true,
  ),
  too_many_tries: caller(
    429,
    "Too many tries to sign in: {detail}. A key and the organization's provider still sign in.",
    true,
  ),
  rate_limited: caller(429, "Too many requests: {detail}.", true),
  no_credits: state(
    402,
    "The credits must cover one hour of everything that runs; {missing} dollars are missing.",
  ),
  budget_spent: state(
    402,
    "{what}; resources that it covers cannot start before {until} unless its limit is raised.",
  ),
  quota_exceeded: state(400, "{held}, and this adds {added}. {advice}."),
  no_capacity: state(500, "create pod: There are no instances currently available."),
  machine_full: state(
    500,
    "start pod: There are not enough free {what} on the host machine to start this pod.",
  ),
  no_longer_offered: state(400, "start pod: The catalog no longer offers {what}."),
  cuda_unfit: state(
    400,
    "start pod: The Pod's machine has {has}, and the Pod requires CUDA {required}.",
  ),
  no_disk: state(
    500,
    "Machine {machine} has {free} GB of free disk; the request needs {more} GB more.",
  ),
  internal: service(500, "An internal error occurred; it was logged as {ref}."),
  store_unavailable: service(503, "The store is unavailable right now; try again.", true),
  disk_full: service(
    507,
    "The service's disk is full: new jobs are refused until there is room.",
    true,
  ),
  too_many_held: state(
    429,
    "{limit} requests already wait for a worker of this endpoint; try again.",
    true,
  ),
  worker_failed: state(502, "Worker {id} did not answer: {why}.", true),
  worker_too_slow: state(524, "The worker did not answer completely within {s} s."),
  pod_unreachable: state(502, "Port {port} of Pod {id} is unreachable: {why}.", true),
  worker_unreachable: service(
    503,
    "The machine of {id} is unreachable right now; try again.",
    true,
  ),
  too_busy: service(
    503,
    "Too many large request bodies are being read right now; try again.",
    true,
  ),
  starting: service(503, "The service is starting: it {step}; try again in a moment.", true),
  stopping: service(503, "The service is stopping; try again in a moment.", true),
} satisfies Record<string, Row>;

export type FaultCode = keyof typeof faultCatalog;
