// A client deletes an endpoint. It is gone at once for clients; what is queued is cancelled, what
// runs may finish, and its workers drain.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { ENDPOINT_DELETED } from "../../domain/job/sentences.ts";
import { findEndpoint, markEndpointDeleted } from "../../store/endpoint/endpoint.ts";
import { endQueued } from "../../store/job/end.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";

/** So many jobs end in one turn; a long queue must not hold up everybody else. */
const ENDED_A_TURN = 200;

/** Resolves once nothing of it is queued any more; should we stop before, the loops go on with it. */
export async function deleteEndpoint(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
): Promise<void> {
  if (!(await store.write(markDeleted, accountId, id, clock.now()))) {
    throw new Fault("endpoint_not_found", { id });
  }
  const endSome = () =>
    store.write(endQueued, id, "cancel", ENDPOINT_DELETED, clock.now(), ENDED_A_TURN);
  while ((await endSome()) === ENDED_A_TURN);
}

function* markDeleted(accountId: string, id: string, now: number): Verb<boolean> {
  const endpoint = yield* findEndpoint(id);
  if (endpoint?.accountId !== accountId) return false;
  yield* markEndpointDeleted(endpoint, now);
  return true;
}
