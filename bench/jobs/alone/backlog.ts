// The backlog of jobs, written into the store before the server starts, thousands per transaction. A million submits
// over HTTP would take minutes and leave the same rows.
import { systemClock } from "../../../src/base/clock.ts";
import { randomIds } from "../../../src/base/ids.ts";
import { defaultEndpoint } from "../../../src/domain/endpoint/endpoint.ts";
import { workloadOf } from "../../../src/domain/endpoint/release.ts";
import type { NewJob } from "../../../src/domain/job/job.ts";
import { defaultTemplate } from "../../../src/domain/template/template.ts";
import { ensureFirstAccount } from "../../../src/flows/account/first-account.ts";
import { insertEndpoint } from "../../../src/store/endpoint/endpoint.ts";
import { type Tx, together } from "../../../src/store/engine/statement.ts";
import type { Store } from "../../../src/store/engine/store.ts";
import { submitJob } from "../../../src/transactions/job/submit.ts";
import type { Home } from "../host/home.ts";

const BATCH_JOBS = 5_000;
const DAY_MS = 24 * 3_600_000;

/** A second endpoint, which may have no workers, so its jobs only wait. */
export const otherEndpoint = "bench1endpoint";

/** Queues jobs on the endpoint, behind all later submits of normal priority. */
export async function queueBacklog(home: Home, endpointId: string, jobs: number): Promise<void> {
  const now = systemClock.now();
  const store = await home.open();
  if (endpointId === otherEndpoint) await insertOther(store, now);
  for (let left = jobs; left > 0; left -= BATCH_JOBS) {
    const batch = Array.from({ length: Math.min(left, BATCH_JOBS) }, () => job(endpointId, now));
    await store.write(submitAll, batch);
  }
  await store.close();
  await home.tidy();
}

function* submitAll(jobs: NewJob[]): Tx<void> {
  yield* together(jobs.map((each) => submitJob(each)));
}

function job(endpointId: string, now: number): NewJob {
  return {
    id: randomIds.job(false, now),
    endpointId,
    sync: false,
    priority: -1,
    lowPriority: false,
    now,
    ttlMs: DAY_MS,
    executionMs: DAY_MS,
    keepMs: DAY_MS,
    failureKeepMs: DAY_MS,
    webhook: null,
    retry: null,
    concurrency: null,
    rateLimit: null,
    startAt: null,
    extras: null,
    trace: null,
    batch: null,
    input: { inline: `{"text":"${"x".repeat(189)}"}` },
  };
}

async function insertOther(store: Store, now: number): Promise<void> {
  const { account } = await ensureFirstAccount({ store, clock: systemClock, ids: randomIds });
  const endpoint = defaultEndpoint(otherEndpoint, account.id, "bench00000", now);
  const spec = { ...endpoint.spec, workersMax: 0 };
  const workload = workloadOf({ ...defaultTemplate("bench"), isServerless: true });
  await store.write(
    insertEndpoint,
    { ...endpoint, spec },
    { endpointId: otherEndpoint, version: 1, workload, reason: "bench", createdAt: now },
  );
}
