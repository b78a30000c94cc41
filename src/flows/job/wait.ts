// Waits for a job to end, for a bounded time, and returns the job as it is then. The wait outlasts an
// unavailable store.

import { type Clock, Deadline } from "../../base/clock.ts";
import { isEndedJob, type Job } from "../../domain/job/job.ts";
import { type Subscription, topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { retryWhileUnavailable } from "../store-unavailable.ts";
import { find } from "./find.ts";
import { enqueue, type JobRequest, newJob } from "./submit.ts";

/** A wake-up may be lost, so the job is read again after this long without one. */
const REREAD_MS = 5_000;

interface WaitDeps {
  store: Store;
  clock: Clock;
}

export interface JobName {
  endpointId: string;
  id: string;
}

interface BoundedWait {
  waitMs: number;
  signal: AbortSignal;
}

export async function waitForEnd(
  deps: WaitDeps,
  job: JobName,
  { waitMs, signal }: BoundedWait,
): Promise<Job> {
  const deadline = new Deadline(deps.clock, waitMs);
  const subscription = deps.store.notifier.subscribe(topic.job(job.id));
  try {
    return await watch(deps, job, { subscription, deadline, signal });
  } finally {
    subscription.close();
  }
}

interface Watch {
  subscription: Subscription;
  deadline: Deadline;
  signal: AbortSignal;
}

/** Reads the job after every notification, until it has ended or the time is over. */
async function watch(
  deps: WaitDeps,
  job: JobName,
  { subscription, deadline, signal }: Watch,
): Promise<Job> {
  for (;;) {
    const retryDeadline = { deadline, signal: () => signal };
    const found =
      endFrom(subscription, job) ??
      (await retryWhileUnavailable(retryDeadline, () => find(deps, job.endpointId, job.id)));
    const leftMs = deadline.leftMs();
    if (isEndedJob(found) || leftMs === 0 || signal.aborted) return found;
    await subscription.wait(deps.clock, Math.min(leftMs, REREAD_MS), signal);
  }
}

/** The ended job, where the last notification carried it; otherwise it has to be read. */
function endFrom(subscription: Subscription, { endpointId }: JobName): Job | null {
  const payload = subscription.payload as Job | undefined;
  return payload?.endpointId === endpointId && isEndedJob(payload) ? payload : null;
}

/**
 * Submits a job and waits for its end. It subscribes before the job exists, so a new job need not be
 * read before the first notification. `onStored` is called once the job is durable.
 */
export async function submitAndWait(
  deps: WaitDeps & Parameters<typeof newJob>[0],
  request: JobRequest,
  wait: BoundedWait,
  onStored: () => void,
): Promise<Job> {
  const job = await newJob(deps, request);
  const subscription = deps.store.notifier.subscribe(topic.job(job.id));
  try {
    const id = await enqueue(deps, job, request);
    onStored();
    const name = { endpointId: job.endpointId, id };
    if (id !== job.id) return await waitForEnd(deps, name, wait);
    const { waitMs, signal } = wait;
    const deadline = new Deadline(deps.clock, waitMs);
    await subscription.wait(deps.clock, Math.min(waitMs, REREAD_MS), signal);
    return await watch(deps, name, { subscription, deadline, signal });
  } finally {
    subscription.close();
  }
}
