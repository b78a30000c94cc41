// The responses to an endpoint's webhook calls of the last day, in time buckets.

import type { Clock } from "../../base/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../base/units.ts";
import { webhookTries } from "../../store/delivery/delivery.ts";
import type { Store } from "../../store/engine/store.ts";

export interface WebhookResponses {
  /** The start of the bucket. */
  at: number;
  /** HTTP statuses in order; null for a call without an answer. */
  statuses: (number | null)[];
}

/** Oldest first. A bucket without calls is left out. */
export async function webhookResponses(
  { store, clock }: { store: Store; clock: Clock },
  endpointId: string,
  bucketMinutes: number,
): Promise<WebhookResponses[]> {
  const tries = await store.read(webhookTries, endpointId, clock.now() - DAY_MS);
  const bucketMs = bucketMinutes * MINUTE_MS;
  const buckets = Map.groupBy(tries, ({ at }) => Math.floor(at / bucketMs) * bucketMs);
  return [...buckets].map(([at, all]) => ({ at, statuses: all.map(({ status }) => status) }));
}
