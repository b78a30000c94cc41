// Everything known about a job, for its owner: its input, its attempts, how it ended, late posts and
// webhook deliveries.

import type { Clock } from "../../base/clock.ts";
import { type AnyAttempt, allAttempts, earlierAttempts } from "../../domain/job/attempts.ts";
import type { Job, JobAttempt, LatePost } from "../../domain/job/job.ts";
import { jobStory } from "../../domain/job/story.ts";
import type { StoredText } from "../../domain/payload.ts";
import type { DeliveryLog } from "../../domain/webhook/delivery.ts";
import type { Worker } from "../../domain/worker/worker.ts";
import { deliveriesOf } from "../../store/delivery/delivery.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { attemptsOf } from "../../store/job/attempt.ts";
import { inputOf } from "../../store/job/find.ts";
import { latePostsOf } from "../../store/job/late-post.ts";
import { findWorker } from "../../store/worker/worker.ts";
import { costOfJob } from "../../transactions/money/job-cost.ts";
import { type ReadText, readText } from "../payload/read-text.ts";
import { findOwn } from "./find-own.ts";
import { readOutput } from "./job-text.ts";
import { timesOf } from "./times.ts";

interface Facts {
  /** Micro-dollars. */
  cost: number;
  latePosts: LatePost[];
  deliveries: DeliveryLog[];
}

export interface JobPast extends Facts {
  job: Job;
  /** In order, with the present or last one. */
  attempts: AnyAttempt[];
  story: string;
  /** Whether a simulated worker has the job or had it last; false once that worker is forgotten. */
  simulated: boolean;
  input: ReadText | null;
  output: ReadText | null;
}

export async function jobPast(
  deps: { store: Store; clock: Clock },
  accountId: string,
  jobId: string,
): Promise<JobPast> {
  const { store, clock } = deps;
  const job = await findOwn(deps, accountId, jobId);
  const { worker, input, stored, ...facts } = await store.read(factsOf, job, clock.now());
  const times = timesOf(job, worker);
  const attempts = earlierAttempts(job, stored);
  return {
    job,
    attempts: allAttempts(job, stored),
    story: jobStory({ ...times, cost: facts.cost, attempts }, clock.now()),
    ...facts,
    simulated: worker?.driver === "simulated",
    input: await readText(store, input, job.id),
    output: await readOutput(store, job),
  };
}

function* factsOf(
  job: Job,
  now: number,
): Tx<Facts & { stored: JobAttempt[]; worker: Worker | undefined; input: StoredText }> {
  const stored = yield* attemptsOf(job.seq);
  return {
    stored,
    cost: yield* costOfJob(job, stored, now),
    latePosts: yield* latePostsOf(job.seq),
    deliveries: yield* deliveriesOf("job", job.seq),
    worker: job.workerId === null ? undefined : yield* findWorker(job.workerId),
    input: yield* inputOf(job.seq),
  };
}
