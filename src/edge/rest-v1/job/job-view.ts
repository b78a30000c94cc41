// A job as /v1/jobs shows it: a summary, and everything known about it.

import type { Delivery, JobFacts, JobSummary } from "../../../contract/rest-v1/job/job.ts";
import { errorOf, isEndedJob, type Job } from "../../../domain/job/job.ts";
import { visibleState } from "../../../domain/job/moves.ts";
import { storedContext } from "../../../domain/trace/trace-context.ts";
import type { DeliveryLog, DeliveryTry } from "../../../domain/webhook/delivery.ts";
import type { JobOnList } from "../../../flows/job/list.ts";
import type { JobPast } from "../../../flows/job/past.ts";
import { joinTexts } from "../../../flows/payload/join-text.ts";
import type { ReadText } from "../../../flows/payload/read-text.ts";
import { dollars } from "../../management/billing/dollars.ts";
import { instant, present } from "../../management/serve/instant.ts";

export function jobOnList({ job, inputStart, cost }: JobOnList): JobSummary {
  const input = inputStart === null ? {} : { inputStart };
  return { ...jobSummary(job), ...input, cost: dollars(cost) };
}

function jobSummary(job: Job): Omit<JobSummary, "cost" | "inputStart"> {
  const { takenAt } = job;
  const finishedAt = isEndedJob(job) ? job.finishedAt : null;
  const error = errorOf(job);
  return {
    id: job.id,
    endpointId: job.endpointId,
    status: visibleState(job.state),
    sync: job.sync,
    priority: job.priority,
    lowPriority: job.lowPriority,
    submittedAt: instant(job.submittedAt),
    ...present({ runAt: job.state === "DELAYED" ? job.dueAt : null }),
    ...(job.state === "DELAYED" && job.heldBy !== null && { heldBy: job.heldBy }),
    ...present({ startedAt: takenAt, finishedAt }),
    ...(takenAt !== null && { delayTime: Math.max(0, takenAt - job.queuedAt) }),
    ...(takenAt !== null && finishedAt !== null && { executionTime: finishedAt - takenAt }),
    ...(job.workerId !== null && { workerId: job.workerId }),
    ...(job.batch !== null && { batchId: job.batch.batchId, batchIndex: job.batch.index }),
    ...present({ keptUntil: isEndedJob(job) ? job.archivedUntil : null }),
    retries: job.retries,
    ...(error !== null && { error }),
  };
}

/** The facts about a job with its input and output, which are sent as they were received. */
export function jobText(past: JobPast): ReadText {
  const facts = JSON.stringify(factsOf(past)).slice(0, -1);
  const input = past.input ?? { text: "null" };
  const output = past.output ? [',"output":', past.output] : [];
  return joinTexts(facts, ',"input":', input, ...output, "}");
}

function factsOf({
  job,
  story,
  simulated,
  cost,
  attempts,
  latePosts,
  deliveries,
}: JobPast): JobFacts {
  return {
    ...jobSummary(job),
    story,
    ...(simulated && { simulated }),
    cost: dollars(cost),
    executionTimeoutMs: job.executionMs,
    ...(job.retry !== null && { retry: job.retry }),
    ...(job.concurrency !== null && { concurrency: job.concurrency }),
    ...(job.rateLimit !== null && { rateLimit: job.rateLimit }),
    expiresAt: instant(job.ttlAt),
    ...present({ forgottenAt: isEndedJob(job) ? job.forgetAt : null }),
    ...(job.webhook !== null && { webhook: job.webhook }),
    ...(job.trace !== null && { traceId: storedContext(job.trace).traceId }),
    chunks: job.chunks,
    chunksDelivered: job.chunksDelivered,
    attempts: attempts.map(({ n, workerId, takenAt, endedAt, outcome }) => {
      const taken = { n, workerId, takenAt: instant(takenAt), ...present({ endedAt }) };
      return { ...taken, ...(outcome !== null && { outcome }) };
    }),
    latePosts: latePosts.map((post) => ({ ...post, at: instant(post.at) })),
    deliveries: deliveries.map(deliveryRead),
  };
}

export function deliveryRead(delivery: DeliveryLog): Delivery {
  const { n, message, url, state, createdAt, dueAt, log } = delivery;
  const times = { createdAt: instant(createdAt), ...present({ dueAt }) };
  return { n, messageId: message, url, state, ...times, tries: log.map(tryRead) };
}

function tryRead({ try: nth, at, status, error, tookMs }: DeliveryTry) {
  return {
    try: nth,
    at: instant(at),
    ...(status !== null && { status }),
    ...(error !== null && { error }),
    tookMs,
  };
}
