// What happened to an endpoint's jobs in the last day, bucket by bucket.

import type { Clock } from "../../base/clock.ts";
import {
  HISTORY_MS,
  type HistoryPoint,
  historyOf,
  MINUTE_MS,
} from "../../domain/endpoint/history.ts";
import { Fault } from "../../domain/fault.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import { minutesSince, spansIn, startsIn, type Window } from "../../store/endpoint/history.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";

export interface HistoryWish {
  accountId: string;
  endpointId: string;
  bucketMinutes: number;
  /** Snapped down to the beginning of its bucket; an hour before the end where it is left out. */
  startTime: number | null;
  /** Exclusive, snapped up; now where it is left out, or later. */
  endTime: number | null;
}

export async function endpointHistory(
  { store, clock }: { store: Store; clock: Clock },
  wish: HistoryWish,
): Promise<HistoryPoint[]> {
  const window = windowOf(wish, clock.now());
  const points = await store.read(pointsOf, wish.accountId, wish.endpointId, window);
  if (!points) throw new Fault("endpoint_not_found", { id: wish.endpointId });
  return points;
}

function* pointsOf(accountId: string, id: string, window: Window): Verb<HistoryPoint[] | null> {
  const endpoint = yield* findEndpoint(id);
  if (endpoint?.accountId !== accountId) return null;
  const { minutes, now } = yield* minutesSince(id, window.from);
  const spans = yield* spansIn(id, window);
  const starts = yield* startsIn(id, window);
  return historyOf({ ...window, now, minutes, spans, starts });
}

function windowOf({ startTime, endTime, bucketMinutes }: HistoryWish, now: number): Window {
  const bucketMs = bucketMinutes * MINUTE_MS;
  const end = Math.min(endTime ?? now, now);
  const start = startTime ?? end - 60 * MINUTE_MS;
  if (start >= end) refuse('"startTime" must be before "endTime", and before now.');
  // What a client's clock says may be a little old once it is here.
  if (start < now - HISTORY_MS - MINUTE_MS) refuse('"startTime" may be 24 hours ago at most.');
  const from = Math.floor(start / bucketMs) * bucketMs;
  return { from, to: Math.ceil(end / bucketMs) * bucketMs, bucketMs };
}

function refuse(detail: string): never {
  throw new Fault("invalid_query", { detail });
}
