// Deletes concurrency keys whose jobs have all ended, some time afterwards: most keys come again.

import type { Tx } from "../../../store/engine/statement.ts";
import { type ConcurrencyKey, idleKeys } from "../../../store/job/schedule/concurrency.ts";
import { touchKey } from "./admissions.ts";

export interface ForgottenKeys {
  count: number;
  /** The last key that was looked at; null after the last of all. */
  next: ConcurrencyKey | null;
}

/** Looks at the `limit` keys that follow `after`. An idle key is counted again at the end of the batch, when it is locked. */
export function* forgetKeys(
  after: ConcurrencyKey | null,
  limit: number,
  now: number,
): Tx<ForgottenKeys> {
  const { idle, next } = yield* idleKeys(after ?? { endpointId: "", key: "" }, limit);
  for (const { endpointId, ...concurrency } of idle)
    yield* touchKey({ endpointId, concurrency }, now, { forget: true });
  return { count: idle.length, next };
}
