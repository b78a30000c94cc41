// A client asks for a webhook to be called once more: a new delivery with its own tries, under the
// message id of the earlier one, so that a receiver who has it can tell.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { isTerminal } from "../../domain/job/moves.ts";
import type { JobRow } from "../../store/job/row.ts";
import type { Store } from "../../store/store.ts";
import { type DeliveryRow, dueAgain } from "../../store/webhook/delivery.ts";

export async function redeliver(
  { store, clock }: { store: Store; clock: Clock },
  job: JobRow,
  n: number,
): Promise<DeliveryRow> {
  const { id, state } = job;
  if (!isTerminal(state)) throw new Fault("job_not_ended", { id, status: state });
  const delivery = await store.write(dueAgain, job, n, clock.now());
  if (!delivery) throw new Fault("delivery_not_found", { id, n });
  return delivery;
}
