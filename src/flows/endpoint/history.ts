// The history of an endpoint's jobs in the last day, in time buckets.

import type { Clock } from "../../base/clock.ts";
import { MINUTE_MS } from "../../base/units.ts";
import { HISTORY_MS, type HistoryPoint, historyOf } from "../../domain/endpoint/history.ts";
import { Fault } from "../../domain/fault.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import {
  type HistoryWindow,
  minutesSince,
  spansIn,
  startsIn,
  statusesIn,
} from "../../store/endpoint/history.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";

export interface HistoryQuery {
  accountId: string;
  endpointId: string;
  bucketMinutes: number;
  /** Rounded down to a bucket. Default: an hour before the end. */
  startTime: number | null;
  /** Exclusive; rounded up to a bucket. Default and maximum: now. */
  endTime: number | null;
}

export async function endpointHistory(
  { store, clock }: { store: Store; clock: Clock },
  request: HistoryQuery,
): Promise<HistoryPoint[]> {
  const window = windowOf(request, clock.now());
  const points = await store.read(pointsOf, request.accountId, request.endpointId, window);
  if (!points) throw new Fault("endpoint_not_found", { id: request.endpointId });
  return points;
}

function* pointsOf(
  accountId: string,
  id: string,
  window: HistoryWindow,
): Tx<HistoryPoint[] | null> {
  const endpoint = yield* findEndpoint(id);
  if (endpoint?.accountId !== accountId) return null;
  const { minutes, now } = yield* minutesSince(id, window.from);
  const spans = yield* spansIn(id, window);
  const starts = yield* startsIn(id, window);
  const statuses = endpoint.spec.type === "LB" ? yield* statusesIn(id, window) : null;
  return historyOf({ ...window, now, minutes, spans, starts, statuses });
}

function windowOf({ startTime, endTime, bucketMinutes }: HistoryQuery, now: number): HistoryWindow {
  const bucketMs = bucketMinutes * MINUTE_MS;
  const end = Math.min(endTime ?? now, now);
  const start = startTime ?? end - 60 * MINUTE_MS;
  if (start >= end) refuse('"startTime" must be before "endTime" and before now.');
  // A minute of tolerance for the client's clock.
  if (start < now - HISTORY_MS - MINUTE_MS) refuse('"startTime" can be at most 24 hours ago.');
  const from = Math.floor(start / bucketMs) * bucketMs;
  return { from, to: Math.ceil(end / bucketMs) * bucketMs, bucketMs };
}

function refuse(detail: string): never {
  throw new Fault("invalid_query", { detail });
}
