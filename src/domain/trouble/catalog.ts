// The faults that a test can switch on, by name. Each one repeats what users of a GPU cloud met; `incident` links
// to a published report of it. In code a fault of this kind is a trouble, because a `Fault` is an error answer.
// A test keeps the table of docs/faults.md equal to this file.

/** What it strikes: answers to requests, workloads, webhooks that are sent, or machines. */
export type Seam = "request" | "workload" | "webhook" | "machine";

interface Row {
  seam: Seam;
  /** What its user sees. */
  sentence: string;
  incident: string | null;
}

export const troubles = {
  "pod-create-500-but-created": row(
    "request",
    "`POST /v1/pods` creates the Pod and answers 500.",
    "https://github.com/transformerlab/transformerlab-app/pull/2305",
  ),
  "no-capacity": row(
    "request",
    "No Pod can be created, over REST or GraphQL, because no machine has room.",
    "https://github.com/runpod/runpodctl/issues/189",
  ),
  "429-storm": row(
    "request",
    "Requests of clients are refused with 429 and `Retry-After: 1`.",
    "https://github.com/catchpoint/WebPageTest.api-nodejs/issues/197",
  ),
  "edge-524": row(
    "request",
    "Requests of clients take effect, and are answered with status 524 and a page in HTML.",
    "https://github.com/IBM-Cloud/sql-query-clients/pull/128",
  ),
  "delete-then-404": row(
    "request",
    "A `DELETE` below `/v1` deletes the resource and answers 404.",
    "https://github.com/equinix/terraform-provider-metal/issues/47",
  ),
  "graphql-null-data": row(
    "request",
    "GraphQL takes effect, and answers 200 with null for every field that the document asks for.",
    "https://github.com/runpod/runpodctl/issues/46",
  ),
  "stale-status": row(
    "request",
    "The status of a job that has ended is still `IN_PROGRESS`, without output.",
    "https://github.com/runpod/runpod-python/issues/250",
  ),
  "job-done-400": row(
    "request",
    "A worker's result is refused with 400 and lost.",
    "https://github.com/runpod/runpod-python/issues/309",
  ),
  "cold-start-90s": row(
    "workload",
    "A worker or a Pod of this machine starts 90 seconds late.",
    "https://github.com/runpod-workers/worker-vllm/issues/111",
  ),
  "registry-down": row(
    "workload",
    "No image can be pulled: starts of workers and Pods of this machine fail, and are tried again.",
    "https://github.com/docker/hub-feedback/issues/1897",
  ),
  "job-lost-worker": row(
    "workload",
    "A worker of this machine is killed as soon as it has taken a job.",
    "https://github.com/longtermrisk/openweights/pull/59",
  ),
  "all-throttled": row(
    "workload",
    "No worker finds a machine: jobs wait in the queue, and `/health` counts the missing workers as `throttled`.",
    "https://github.com/Paritok-official/paritok-4b-v1/issues/30",
  ),
  "spot-eviction": row(
    "workload",
    "An interruptible Pod of this machine is evicted a minute after its start, without notice.",
    "https://github.com/skypilot-org/skypilot/issues/5371",
  ),
  "webhook-duplicate": row(
    "webhook",
    "A job's webhook is sent twice, with the same `webhook-id`.",
    "https://github.com/sendgrid/docs/issues/2933",
  ),
  "webhook-slow": row("webhook", "A job's webhook is sent a minute late.", null),
  "gpu-falls-off": row(
    "workload",
    "The workloads of this machine that have GPUs end, each because its first one has fallen off the bus (Xid 79); nothing is placed on these GPUs.",
    "https://github.com/NVIDIA/k8s-device-plugin/issues/231",
  ),
  "machine-lost": row(
    "machine",
    "This machine is without power: it falls silent, and what runs there is lost.",
    "https://github.com/rackerlabs/spot/issues/178",
  ),
  "disk-full": row(
    "machine",
    "This machine's disk is full: no workload starts, uploads to volumes fail, and new jobs are refused with 507.",
    "https://github.com/gitpod-io/gitpod/issues/1071",
  ),
  "clock-skew": row(
    "machine",
    "The service's clock is 30 minutes fast, to S3 clients that sign requests and to receivers of jobs' webhooks.",
    "https://github.com/LeastAuthority/leastauthority.com/issues/157",
  ),
} as const satisfies Record<string, Row>;

export type TroubleName = keyof typeof troubles;

export const troubleNames = Object.keys(troubles) as TroubleName[];

export const isTrouble = (name: string): name is TroubleName => Object.hasOwn(troubles, name);

function row<S extends Seam>(seam: S, sentence: string, incident: string | null) {
  return { seam, sentence, incident };
}
