// The contents of a store's queue, and what they should be according to the model.

import assert from "node:assert/strict";
import { rows, type Tx } from "../../../src/store/engine/statement.ts";
import { jobCounts } from "../../../src/store/job/load.ts";
import type { Fixture } from "./fixture.ts";
import type { Model } from "./model.ts";

export interface Contents {
  /** In the order of their submission. */
  jobs: object[];
  counts: object;
}

export async function contentsOf({ store }: Fixture): Promise<Contents> {
  const counts = { ...(await store.read(jobCounts, "e")) };
  return { jobs: await store.read(allJobs), counts };
}

export function expectedContents(model: Model): Contents {
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

/** Fails if a row violates an invariant. */
export async function checkInvariants(fixture: Fixture): Promise<void> {
  for (const sql of VIOLATIONS) assert.equal(await fixture.value(sql), 0, sql);
}

const VIOLATIONS = [
  "select count(*) from chunk where job_seq not in (select seq from job)",
  "select count(*) from attempt where job_seq not in (select seq from job)",
  "select count(*) from late_post where job_seq not in (select seq from job)",
  `select count(*) from job where state in ('IN_PROGRESS', 'COMPLETED') and chunks <>
     (select count(*) from chunk where job_seq = seq and attempt = attempts)`,
  "select count(*) from job where state in ('IN_QUEUE', 'DELAYED') and chunks <> 0",
  "select count(*) from job where state = 'DELAYED' and (due_at is null) <> (held_by is not null)",
  `select count(*) from job where state = 'IN_PROGRESS'
     and (worker_id is null or taken_at is null or lease_until is null)`,
  `select count(*) from job where state not in ('IN_QUEUE', 'DELAYED', 'IN_PROGRESS')
     and (finished_at is null or forget_at is null)`,
  `select count(*) from job where state in ('IN_QUEUE', 'DELAYED', 'IN_PROGRESS')
     and (finished_at is not null or error is not null or forget_at is not null)`,
  `select count(*) from (select endpoint_id from tally group by endpoint_id having sum(archived_bytes) <>
     (select coalesce(sum(bytes), 0) from job
      where job.endpoint_id = tally.endpoint_id and archived_until is not null)) as wrong`,
  // What is stored of jobs: an endpoint's sum is exact, and no job's is too small.
  `select count(*) from (select endpoint_id from tally group by endpoint_id having sum(bytes) <>
     (select coalesce(sum(bytes), 0) from job where job.endpoint_id = tally.endpoint_id) +
     (select coalesce(sum(bytes), 0) from batch
      where batch.endpoint_id = tally.endpoint_id and state = 'PENDING')) as wrong`,
  `select count(*) from job where bytes < 1024 + coalesce(octet_length(input), 0)
     + coalesce((select bytes from payload where id = input_payload), 0)
     + coalesce((select bytes from payload where id = output_payload), 0)
     + (select coalesce(sum(octet_length(output)), 0) from chunk where job_seq = seq)
     + case when state = 'COMPLETED' then coalesce(octet_length(output), 0) else 0 end`,
];

function* allJobs(): Tx<object[]> {
  const columns = "id, state, worker_id, attempts, retries, chunks, ttl_at";
  const found = yield* rows<object>(
    `select ${columns} from job where archived_until is null order by seq`,
  );
  return found.map((each) => ({ ...each }));
}
