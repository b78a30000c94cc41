// A client moves a live job's time to live, or the end of an ended job's retention.

import type { Clock } from "../../base/clock.ts";
import { setTtl as setTtlVerb } from "../../store/job/due.ts";
import type { JobRow } from "../../store/job/row.ts";
import type { Store } from "../../store/store.ts";
import { find } from "./find.ts";

export async function setTtl(
  deps: { store: Store; clock: Clock },
  job: JobRow,
  ttlMs: number,
): Promise<JobRow> {
  await deps.store.write(setTtlVerb, job.id, ttlMs, deps.clock.now());
  return find(deps, job.endpoint_id, job.id);
}
