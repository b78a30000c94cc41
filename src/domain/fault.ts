// The fault catalogue: every way the product says no, with its status, who is to blame and whether
// trying again can help. Rendering a fault is a look-up here; docs/errors.md is held equal by a test.

import type { PassedOver } from "./placement/decide.ts";

interface Row {
  status: number;
  blame: "caller" | "state" | "service";
  /** Whether the same request may succeed later without being changed. */
  retry: boolean;
  /** The public sentence; `{name}` is filled from the fault's facts. */
  sentence: string;
}

export const catalogue = {
  invalid_http: row(400, "caller", "The request is not valid HTTP: {detail}."),
  invalid_json: row(400, "caller", "{detail}."),
  too_deep: row(400, "caller", "The body nests deeper than {limit} levels."),
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
    'The {noun} id "{id}" is not a possible id: it takes 1 to 64 letters, digits, "_" or "-".',
  ),
  invalid_document: row(400, "caller", "{detail}"),
  document_too_large: row(400, "caller", "The document is too large: it may have {most} {what}."),
  unknown_field: row(400, "caller", 'Extra input keys provided in request body: "{field}". {hint}'),
  not_offered: row(400, "caller", "{detail}"),
  not_retriable: row(
    400,
    "state",
    "Job {id} is {status}; only a job that is FAILED or TIMED_OUT can be retried.",
  ),
  job_not_ended: row(
    400,
    "state",
    "Job {id} is {status}; its webhook is called once it has ended.",
  ),
  pod_locked: row(
    400,
    "state",
    'Pod {id} is locked, which refuses {event}; set "locked" to false first.',
  ),
  pod_not_running: row(400, "state", "Pod {id} is {state}; {event} takes one that is RUNNING."),
  no_command: row(
    400,
    "caller",
    'Here this Pod would run as a process, and a process needs a command in "dockerStartCmd"; an image alone is not enough.',
  ),
  template_in_use: row(
    400,
    "state",
    "Template {id} is used by {users}; delete or change those first.",
  ),
  network_volume_in_use: row(
    400,
    "state",
    "Network volume {id} is used by {users}; delete those first.",
  ),
  registry_auth_in_use: row(
    400,
    "state",
    "Container registry auth {id} is used by {users}; delete or change those first.",
  ),
  machine_in_use: row(
    400,
    "state",
    "Machine {id} still has {users}; delete those first, or remove it with them (force=true).",
  ),
  machine_known: row(400, "caller", "There is a machine at {address} already."),
  ssh_key_known: row(
    400,
    "state",
    "The account has this SSH key already; its fingerprint is {fingerprint}.",
  ),
  no_start_command: row(
    400,
    "caller",
    'Template {id} has no start command. Here it would run as a process, and a process needs one in "dockerStartCmd"; an image alone is not enough.',
  ),
  too_many_budgets: row(400, "state", "An account may have {most} budgets; delete one first."),
  name_taken: row(400, "state", 'A {noun} named "{name}" exists already; names are unique.'),
  unauthorized: row(
    401,
    "caller",
    'No valid API key came with this request. Send "Authorization: Bearer <key>".',
  ),
  forbidden: row(403, "caller", "{detail}"),
  route_not_found: row(404, "caller", "There is no route {method} {path}."),
  endpoint_not_found: row(404, "caller", "There is no endpoint {id}."),
  template_not_found: row(404, "caller", "There is no template {id}."),
  network_volume_not_found: row(404, "caller", "There is no network volume {id}."),
  machine_not_found: row(404, "caller", "There is no machine {id}."),
  registry_auth_not_found: row(404, "caller", "There is no container registry auth {id}."),
  secret_not_found: row(404, "caller", "There is no secret {id}."),
  ssh_key_not_found: row(404, "caller", "There is no SSH key {id}."),
  pod_not_found: row(404, "caller", "There is no Pod {id}."),
  budget_not_found: row(404, "caller", "There is no budget {id}."),
  savings_plan_not_found: row(404, "caller", "There is no savings plan {id}."),
  port_not_found: row(404, "caller", 'Pod {id} has no port "{port}/http".'),
  no_such_site: row(404, "caller", "{detail}"),
  job_not_found: row(
    404,
    "caller",
    "There is no job {id} on this endpoint, or its result was kept for its time and is gone.",
  ),
  worker_not_found: row(404, "caller", "There is no worker {id}."),
  account_not_found: row(404, "caller", "There is no account {id}."),
  member_not_found: row(404, "caller", "There is no member {id}."),
  invitation_not_found: row(404, "caller", "There is no invitation {id}."),
  invitation_over: row(
    404,
    "state",
    "This invitation opens nothing: it was used, withdrawn, or has expired. Ask for a new one.",
  ),
  key_not_found: row(404, "caller", "There is no API key {id}."),
  session_not_found: row(404, "caller", "There is no session {id}, or it has ended."),
  delivery_not_found: row(404, "caller", "Job {id} has no webhook delivery number {n}."),
  subject_not_found: row(404, "caller", "There is no job, worker, Pod or endpoint {id}."),
  method_not_allowed: row(405, "caller", "{path} does not take {method}; it takes {allowed}."),
  too_dear: row(
    400,
    "state",
    'What there is costs {cost} dollars per hour, and "deployCost" is {most}.',
  ),
  idempotency_conflict: row(
    409,
    "caller",
    "This Idempotency-Key was used within the last 24 hours with a different request.",
  ),
  payload_too_large: row(
    413,
    "caller",
    "The body is larger than this operation takes: {limit} bytes.",
  ),
  result_too_large: row(413, "caller", "The result has {bytes} bytes and the limit is {limit}."),
  request_timeout: row(408, "caller", "The request did not come whole in time.", true),
  upgrade_required: row(
    426,
    "caller",
    'This address speaks WebSocket: connect to it with "Upgrade: websocket".',
  ),
  headers_too_large: row(431, "caller", "The address and headers together are too long."),
  rate_limited: row(429, "caller", "Too many requests: {detail}.", true),
  no_credits: row(
    402,
    "state",
    "This takes credits for an hour of all that runs; {missing} dollars are missing.",
  ),
  budget_spent: row(
    402,
    "state",
    "{what}; nothing that counts against it is started before {until}, unless its limit is raised.",
  ),
  no_capacity: row(500, "state", "create pod: There are no instances currently available."),
  machine_full: row(
    500,
    "state",
    "start pod: There are not enough free GPUs on the host machine to start this pod.",
  ),
  no_disk: row(
    500,
    "state",
    "Machine {machine} has {free} GB of disk free, and {more} GB more are asked for.",
  ),
  internal: row(500, "service", "Something went wrong inside the service; it was logged as {ref}."),
  store_unavailable: row(503, "service", "The store cannot be written right now; try again.", true),
  pod_unreachable: row(502, "state", "Port {port} of Pod {id} is not reached: {why}.", true),
  worker_unreachable: row(
    503,
    "service",
    "The machine that {id} runs or ran on does not answer right now, and only it can tell.",
    true,
  ),
  too_busy: row(503, "service", "Too many large bodies are in flight right now; try again.", true),
  starting: row(503, "service", "The service is starting; try again in a moment.", true),
  stopping: row(503, "service", "The service is stopping; try again in a moment.", true),
} satisfies Record<string, Row>;

export type FaultCode = keyof typeof catalogue;
export type Facts = Record<string, string | number>;

function row(status: number, blame: Row["blame"], sentence: string, retry = false): Row {
  return { status, blame, sentence, retry };
}

/** A refusal with a code from the catalogue. `message` is the public sentence. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  readonly status: number;
  readonly retryAfterS: number | null;
  /** Why no machine would do, where that is what was wrong. */
  readonly passedOver: readonly PassedOver[] | null;

  constructor(
    code: FaultCode,
    facts: Facts = {},
    more: { retryAfterS?: number; passedOver?: readonly PassedOver[] } = {},
  ) {
    super(sentence(code, facts));
    this.code = code;
    this.status = catalogue[code].status;
    this.passedOver = more.passedOver ?? null;
    this.retryAfterS = more.retryAfterS ?? (catalogue[code].retry ? 1 : null);
  }
}

function sentence(code: FaultCode, facts: Facts): string {
  return catalogue[code].sentence.replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(facts[name] ?? whole),
  );
}
