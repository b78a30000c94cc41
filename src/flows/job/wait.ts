// Waits for a job to end, for a bounded time; the answer is the job as it stands then. A store that
// goes away meanwhile is waited for as well.

import type { Clock } from "../../base/clock.ts";
import { isTerminal } from "../../domain/job/moves.ts";
import type { JobRow } from "../../store/job/row.ts";
import type { Store } from "../../store/store.ts";
import { type Bell, topic } from "../../store/wakes.ts";
import { patiently } from "../store-away.ts";
import { find } from "./find.ts";
import { enqueue, type JobRequest, newJob } from "./submit.ts";

/** Without a wake-up the job is looked at again after this long: a wake-up may be lost. */
const LOOK_AGAIN_MS = 5_000;

interface WaitDeps {
  store: Store;
  clock: Clock;
}

interface JobName {
  endpointId: string;
  id: string;
}

export async function waitForEnd(
  deps: WaitDeps,
  job: JobName,
  waitMs: number,
  signal: AbortSignal,
): Promise<JobRow> {
  const bell = deps.store.wakes.hang(topic.job(job.id));
  try {
    return await watch(deps, job, bell, waitMs, signal);
  } finally {
    bell.close();
  }
}

/** Looks at the job whenever the bell rings, until it has ended or the time is over. */
async function watch(
  deps: WaitDeps,
  job: JobName,
  bell: Bell,
  waitMs: number,
  signal: AbortSignal,
): Promise<JobRow> {
  const until = deps.clock.now() + waitMs;
  for (;;) {
    const patience = { clock: deps.clock, until, gone: () => signal };
    const found =
      told(bell, job) ?? (await patiently(patience, () => find(deps, job.endpointId, job.id)));
    const leftMs = until - deps.clock.now();
    if (isTerminal(found.state) || leftMs <= 0 || signal.aborted) return found;
    await bell.wait(deps.clock, Math.min(leftMs, LOOK_AGAIN_MS), signal);
  }
}

/** The job's end, where the last ring told of it; all else is looked up. */
function told(bell: Bell, { endpointId }: JobName): JobRow | null {
  const news = bell.news as JobRow | undefined;
  return news?.endpoint_id === endpointId && isTerminal(news.state) ? news : null;
}

/**
 * Submits a job and waits for its end. Whoever listens before there is a job need not look at one
 * that was just made.
 */
export async function submitAndWait(
  deps: WaitDeps & Parameters<typeof newJob>[0],
  request: JobRequest,
  waitMs: number,
  signal: AbortSignal,
): Promise<JobRow> {
  const job = await newJob(deps, request);
  const bell = deps.store.wakes.hang(topic.job(job.id));
  try {
    const id = await enqueue(deps, job, request.once);
    const name = { endpointId: job.endpointId, id };
    if (id !== job.id) return await waitForEnd(deps, name, waitMs, signal);
    const since = deps.clock.now();
    await bell.wait(deps.clock, Math.min(waitMs, LOOK_AGAIN_MS), signal);
    return await watch(deps, name, bell, waitMs - (deps.clock.now() - since), signal);
  } finally {
    bell.close();
  }
}
