// All that is known of a job, for whoever owns it: what it was given, who held it, how it ended,
// what came too late and whom its webhook reached.

import type { Clock } from "../../base/clock.ts";
import { jobStory } from "../../domain/job/story.ts";
import {
  type AttemptRow,
  attemptsOf,
  inputOf,
  type LatePostRow,
  latePostsOf,
} from "../../store/job/find.ts";
import type { JobRow } from "../../store/job/row.ts";
import { costOfJob } from "../../store/money/held.ts";
import type { StoredText } from "../../store/payload.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { deliveriesOf } from "../../store/webhook/delivery.ts";
import { findWorker, type WorkerRow } from "../../store/worker/worker.ts";
import { type ReadText, readText } from "../payload/read-text.ts";
import { findOwn } from "./find-own.ts";
import { outputOf } from "./job-text.ts";
import { timesOf } from "./times.ts";

interface Facts {
  /** Micro-dollars. */
  cost: number;
  attempts: AttemptRow[];
  latePosts: LatePostRow[];
  deliveries: DeliveryLog[];
  worker: WorkerRow | undefined;
}

type DeliveryLog = ReturnType<typeof deliveriesOf> extends Verb<(infer Each)[]> ? Each : never;

export interface JobPast extends Omit<Facts, "worker"> {
  job: JobRow;
  story: string;
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
  const { worker, input, ...facts } = await store.read(factsOf, job, clock.now());
  const story = jobStory(
    {
      ...timesOf(job, worker),
      cost: facts.cost,
      attempts: facts.attempts.map((each) => ({
        workerId: each.worker_id,
        takenAt: each.taken_at,
        endedAt: each.ended_at,
        outcome: each.outcome,
      })),
    },
    clock.now(),
  );
  return {
    job,
    story,
    ...facts,
    input: await readText(store, input, job.id),
    output: await outputOf(store, job),
  };
}

function* factsOf(job: JobRow, now: number): Verb<Facts & { input: StoredText }> {
  const attempts = yield* attemptsOf(job.seq);
  return {
    attempts,
    cost: yield* costOfJob(job, attempts, now),
    latePosts: yield* latePostsOf(job.seq),
    deliveries: yield* deliveriesOf(job.seq),
    worker: job.worker_id === null ? undefined : yield* findWorker(job.worker_id),
    input: yield* inputOf(job.seq),
  };
}
