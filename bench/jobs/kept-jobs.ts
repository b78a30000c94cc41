// Ended jobs of the last week, written into the store before the server starts: submitted through the store's own
// transaction, and ended by one statement for thousands of jobs.

import { systemClock } from "../../src/base/clock.ts";
import { randomIds } from "../../src/base/ids.ts";
import type { NewJob } from "../../src/domain/job/job.ts";
import { ensureFirstAccount } from "../../src/flows/account/first-account.ts";
import { insertBatch } from "../../src/store/batch/batch.ts";
import { change, type Tx, together } from "../../src/store/engine/statement.ts";
import { submitJob } from "../../src/transactions/job/submit.ts";
import { benchEndpoint } from "./bench-key.ts";
import type { Home } from "./host/home.ts";

const BATCH_JOBS = 5_000;
const BATCHES = 100;
const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
const OUT_OF_MEMORY =
  '{"error_type":"<class \'torch.OutOfMemoryError\'>","error_message":"CUDA out of memory"}';

/** The last jobs stay in the queue; every second group of 5,000 is a batch, until there are a hundred. */
export async function fillWithEnded(
  home: Home,
  jobs: number,
): Promise<{ newestId: string; oldestId: string }> {
  const now = systemClock.now();
  const store = await home.open();
  const { account } = await ensureFirstAccount({ store, clock: systemClock, ids: randomIds });
  const ids: string[] = [];
  for (let n = 0; n < jobs; n += BATCH_JOBS) {
    const group = n / BATCH_JOBS;
    const batch = group % 2 === 0 && group / 2 < BATCHES ? `bench-batch-${group}` : null;
    if (batch) await store.write(insertSubmitted, batch, account.id, now);
    const submittedAt = (each: number) => Math.floor(now - WEEK_MS + (WEEK_MS * each) / jobs);
    const count = Math.min(BATCH_JOBS, jobs - n);
    const some = Array.from({ length: count }, (_, k) => newJob(submittedAt(n + k), batch, k));
    ids.push(some[0]!.id, some.at(-1)!.id);
    await store.write(submitAll, some);
    if (n + BATCH_JOBS < jobs) await store.write(endAll, n, n + BATCH_JOBS, now);
  }
  await store.close();
  await home.tidy();
  return { oldestId: ids[0]!, newestId: ids.at(-1)! };
}

function* insertSubmitted(id: string, accountId: string, now: number): Tx<void> {
  const batch = { id, accountId, endpointId: benchEndpoint, total: BATCH_JOBS, bytes: 0 };
  yield* insertBatch(
    { ...batch, webhook: null, trace: null, createdAt: now },
    { inline: null, payload: null },
  );
  yield* change("update batch set state = 'RUNNING', submitted = total where id = ?", id);
}

function* submitAll(jobs: NewJob[]): Tx<void> {
  yield* together(jobs.map((each) => submitJob(each)));
}

/** One job of a hundred fails, one of a thousand is cancelled, and as many run out of time. */
function* endAll(from: number, to: number, now: number): Tx<void> {
  const ended = "seq > ? and seq <= ? and state = 'IN_QUEUE'";
  yield* change(
    `update job set state = case when seq % 1000 = 7 then 'CANCELLED' when seq % 1000 = 8 then 'TIMED_OUT'
         when seq % 100 = 0 then 'FAILED' else 'COMPLETED' end,
       error = case when seq % 1000 in (7, 8) then 'it ended' when seq % 100 = 0 then ? end,
       worker_id = 'worker' || (seq % 128), taken_at = submitted_at + 5, finished_at = submitted_at + 1000,
       forget_at = ?, attempts = 1, output = '{"ok":true}' where ${ended}`,
    OUT_OF_MEMORY,
    now + WEEK_MS,
    from,
    to,
  );
}

function newJob(now: number, batch: string | null, index: number): NewJob {
  return {
    id: randomIds.job(false, now),
    endpointId: benchEndpoint,
    now,
    sync: false,
    priority: 0,
    lowPriority: false,
    ttlMs: 2 * WEEK_MS,
    executionMs: DAY_MS,
    keepMs: 2 * WEEK_MS,
    failureKeepMs: 2 * WEEK_MS,
    webhook: null,
    retry: null,
    concurrency: null,
    rateLimit: null,
    startAt: null,
    extras: null,
    trace: null,
    batch: batch === null ? null : { batchId: batch, index },
    input: { inline: `{"text":"${"x".repeat(189)}"}` },
  };
}
