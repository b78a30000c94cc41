// What a store holds, and what the model says that it should.

import assert from "node:assert/strict";
import { tallyOf } from "../job/load.ts";
import { rows, type Verb } from "../statement.ts";
import type { Model } from "./model.ts";
import type { Stage } from "./stage.ts";

export interface Holdings {
  /** In the order of their submission. */
  jobs: object[];
  counts: object;
}

export async function holdingsOf({ store }: Stage): Promise<Holdings> {
  const counts = { ...(await store.read(tallyOf, "e")) };
  return { jobs: await store.read(allJobs), counts };
}

export function expectedOf(model: Model): Holdings {
  const jobs = [...model.jobs].sort((a, b) => a.seq - b.seq);
  return {
    jobs: jobs.map((each) => ({
      id: each.id,
      state: each.state,
      worker_id: each.holder,
      attempts: each.attempts,
      retries: each.retries,
      chunks: each.chunks,
      ttl_at: each.ttlAt,
    })),
    counts: model.counts(),
  };
}

/** Fails where anything is found that must not be at any time. */
export async function checkAlways(stage: Stage): Promise<void> {
  for (const sql of NEVER) assert.equal(await stage.value(sql), 0, sql);
}

const NEVER = [
  "select count(*) from chunk where job_seq not in (select seq from job)",
  "select count(*) from attempt where job_seq not in (select seq from job)",
  "select count(*) from late_post where job_seq not in (select seq from job)",
  `select count(*) from job where state in ('IN_PROGRESS', 'COMPLETED') and chunks <>
     (select count(*) from chunk where job_seq = seq and attempt = attempts)`,
  "select count(*) from job where state = 'IN_QUEUE' and chunks <> 0",
  `select count(*) from job where state = 'IN_PROGRESS'
     and (worker_id is null or taken_at is null or lease_until is null)`,
  `select count(*) from job where state not in ('IN_QUEUE', 'IN_PROGRESS')
     and (finished_at is null or forget_at is null)`,
  `select count(*) from job where state in ('IN_QUEUE', 'IN_PROGRESS')
     and (finished_at is not null or error is not null or forget_at is not null)`,
];

function* allJobs(): Verb<object[]> {
  const columns = "id, state, worker_id, attempts, retries, chunks, ttl_at";
  const found = yield* rows<object>(`select ${columns} from job order by seq`);
  return found.map((each) => ({ ...each }));
}
