// A client moves a live job's time to live, or the end of an ended job's retention.

import type { Clock } from "../../base/clock.ts";
import type { Job } from "../../domain/job/job.ts";
import type { Store } from "../../store/engine/store.ts";
import { setTtl as setTtlTransaction } from "../../transactions/job/set-ttl.ts";
import { find } from "./find.ts";

export async function setTtl(
  deps: { store: Store; clock: Clock },
  { id, endpointId }: Pick<Job, "id" | "endpointId">,
  ttlMs: number,
): Promise<Job> {
  await deps.store.write(setTtlTransaction, id, ttlMs, deps.clock.now());
  return find(deps, endpointId, id);
}
