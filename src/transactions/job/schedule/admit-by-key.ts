// Admits as many held jobs of a concurrency key as it has free slots.

import { type Concurrency, freeSlots } from "../../../domain/job/schedule/concurrency.ts";
import type { RateLimit } from "../../../domain/job/schedule/rate-limit.ts";
import { isSoleWriter, type Tx } from "../../../store/engine/statement.ts";
import {
  deleteKey,
  hasHeld,
  lockAndCount,
  setAdmitted,
  setSkipped,
} from "../../../store/job/schedule/concurrency.ts";
import { publishAdmitted } from "./publish-admitted.ts";
import type { Touch } from "./touches.ts";

/** Returns the rate limits that hold admitted jobs next. */
export function* admitByKey(touch: Touch<Concurrency>): Tx<Touch<RateLimit>[]> {
  const { endpointId, newest, forget, now } = touch;
  const name = { endpointId, key: touch.limit.key };
  if (!newest && !forget && (yield* isSoleWriter()) && !(yield* hasHeld(name))) return [];
  const { limit, admitted, held } = yield* lockAndCount(name, { limit: touch.limit.limit, newest });
  if (forget && admitted + held === 0) yield* deleteKey(name);
  const count = Math.min(held, freeSlots(limit, admitted));
  if (count === 0) return [];
  const jobs = yield* setAdmitted(name, count, now);
  if (jobs.length < count) yield* setSkipped(name);
  yield* publishAdmitted(
    endpointId,
    jobs.filter(({ rateLimit }) => rateLimit === null),
    now,
  );
  const limits = jobs.flatMap(({ rateLimit }) => rateLimit ?? []);
  return limits.map((rate) => ({ endpointId, limit: rate, newest: false, forget: false, now }));
}
