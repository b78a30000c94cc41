// Deleting an endpoint. Clients cannot see it any more; its queued jobs are cancelled, running jobs can
// finish, and its workers drain.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { ENDPOINT_DELETED } from "../../domain/job/sentences.ts";
import type { Store } from "../../store/engine/store.ts";
import { markOwnEndpointDeleted } from "../../transactions/endpoint/delete.ts";
import { endQueued } from "../../transactions/job/end.ts";

/** Bounds a transaction, so that a long queue does not block other requests. */
const MAX_ENDED_PER_TRANSACTION = 200;

/** Resolves when no job is queued. If the service stops earlier, a loop ends the remaining jobs. */
export async function deleteEndpoint(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
): Promise<void> {
  if (!(await store.write(markOwnEndpointDeleted, accountId, id, clock.now()))) {
    throw new Fault("endpoint_not_found", { id });
  }
  const endSome = () =>
    store.write(
      endQueued,
      id,
      { event: "cancel", error: ENDPOINT_DELETED },
      clock.now(),
      MAX_ENDED_PER_TRANSACTION,
    );
  while ((await endSome()) === MAX_ENDED_PER_TRANSACTION);
}
