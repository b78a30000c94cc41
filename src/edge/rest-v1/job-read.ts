// A job as its owner looks back on it.

import type { Delivery, JobFacts, JobSummary } from "../../contract/rest-v1/job.ts";
import { isTerminal } from "../../domain/job/moves.ts";
import type { JobPast } from "../../flows/job/past.ts";
import { joined } from "../../flows/payload/join-text.ts";
import type { ReadText } from "../../flows/payload/read-text.ts";
import type { JobRow } from "../../store/job/row.ts";
import { dollars } from "./dollars.ts";
import { instant, present } from "./instant.ts";

export function jobSummary(job: JobRow): JobSummary {
  const { taken_at: takenAt, finished_at: finishedAt } = job;
  const ran =
    takenAt !== null && finishedAt !== null ? { executionTime: finishedAt - takenAt } : {};
  return {
    id: job.id,
    endpointId: job.endpoint_id,
    status: job.state,
    sync: job.sync === 1,
    priority: job.priority,
    lowPriority: job.low_priority === 1,
    submittedAt: instant(job.submitted_at),
    ...present({ startedAt: takenAt, finishedAt }),
    ...(takenAt !== null && { delayTime: Math.max(0, takenAt - job.queued_at) }),
    ...ran,
    ...(job.worker_id !== null && { workerId: job.worker_id }),
    retries: job.retries,
    ...(isTerminal(job.state) && job.error !== null && { error: job.error }),
  };
}

/** Input and output as they came in, around what is known of the job. */
export function jobStoryText(past: JobPast): ReadText {
  const known = JSON.stringify(factsOf(past)).slice(0, -1);
  const input = past.input ?? { text: "null" };
  const output = past.output ? [',"output":', past.output] : [];
  return joined(known, ',"input":', input, ...output, "}");
}

function factsOf({ job, story, cost, attempts, latePosts, deliveries }: JobPast): JobFacts {
  return {
    ...jobSummary(job),
    story,
    cost: dollars(cost),
    executionTimeoutMs: job.execution_ms,
    expiresAt: instant(job.ttl_at),
    ...present({ forgottenAt: job.forget_at }),
    ...(job.webhook !== null && { webhook: job.webhook }),
    chunks: job.chunks,
    chunksDelivered: job.drained,
    attempts: attempts.map(({ n, worker_id, taken_at, ended_at, outcome }) => {
      const times = { takenAt: instant(taken_at), endedAt: instant(ended_at) };
      return { n, workerId: worker_id, ...times, outcome };
    }),
    latePosts: latePosts.map(({ at, worker_id, kind, bytes }) => {
      return { at: instant(at), workerId: worker_id, kind, bytes };
    }),
    deliveries: deliveries.map(deliveryRead),
  };
}

export function deliveryRead(delivery: JobPast["deliveries"][number]): Delivery {
  const { n, message, url, state, created_at, due_at, log } = delivery;
  const times = { createdAt: instant(created_at), ...present({ dueAt: due_at }) };
  return { n, messageId: message, url, state, ...times, tries: log.map(tryRead) };
}

type Try = JobPast["deliveries"][number]["log"][number];

function tryRead({ try: nth, at, status, error, took_ms }: Try) {
  return {
    try: nth,
    at: instant(at),
    ...(status !== null && { status }),
    ...(error !== null && { error }),
    tookMs: took_ms,
  };
}
