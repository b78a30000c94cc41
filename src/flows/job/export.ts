// Every job of an account that matches a filter, in the order of submission. One page is in memory at a time.

import type { Clock } from "../../base/clock.ts";
import type { Job } from "../../domain/job/job.ts";
import type { JobFilter } from "../../domain/job/job-filter.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { inputOf } from "../../store/job/find.ts";
import {
  type JobSlice,
  lastSeq,
  type MatchRange,
  readSlice,
} from "../../store/job/list/matching.ts";
import { costsOfJobs } from "../../transactions/money/job-cost.ts";
import { type ReadText, readText } from "../payload/read-text.ts";
import { readOutput } from "./job-text.ts";
import type { JobOnList } from "./list.ts";

const PAGE = 250;

/** Jobs that exist now; the pages of a job that is deleted meanwhile leave it out. */
export async function* matchingJobs(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  filter: JobFilter,
): AsyncGenerator<JobOnList[]> {
  const upTo = await store.read(lastSeq);
  for (let after: number | null = 0; after !== null; ) {
    const range: MatchRange = { accountId, filter, after, upTo, now: clock.now() };
    const page: JobSlice<JobOnList[]> = await store.read(readPage, range);
    if (page.found.length > 0) yield page.found;
    after = page.next;
  }
}

function* readPage(range: MatchRange): Tx<JobSlice<JobOnList[]>> {
  const { found: jobs, next } = yield* readSlice(range, PAGE);
  const costs = yield* costsOfJobs(jobs, range.now);
  return { found: jobs.map((job, n) => ({ job, inputStart: null, cost: costs[n]! })), next };
}

/** Null for a text that is not there. */
export async function textsOfJob(
  store: Store,
  job: Job,
): Promise<{ input: ReadText | null; output: ReadText | null }> {
  const input = await readText(store, await store.read(inputOf, job.seq), job.id);
  return { input, output: await readOutput(store, job) };
}
