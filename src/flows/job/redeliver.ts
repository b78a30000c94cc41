// A client asks for a webhook to be called once more: a new delivery with its own tries, under the
// message id of the earlier one, so that a receiver who has it can tell.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { isTerminal } from "../../domain/job/moves.ts";
import type { Store } from "../../store/store.ts";
import { type DeliveryRow, dueAgain } from "../../store/webhook/delivery.ts";
import { findOwn } from "./find-own.ts";

export async function redeliver(
  deps: { store: Store; clock: Clock },
  accountId: string,
  jobId: string,
  n: number,
): Promise<DeliveryRow> {
  const job = await findOwn(deps, accountId, jobId);
  if (!isTerminal(job.state)) throw new Fault("job_not_ended", { id: jobId, status: job.state });
  const delivery = await deps.store.write(dueAgain, job, n, deps.clock.now());
  if (!delivery) throw new Fault("delivery_not_found", { id: jobId, n });
  return delivery;
}
