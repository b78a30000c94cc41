// An endpoint's total cost and its number of finished jobs.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Spending } from "../../domain/money/budget.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { jobCounts } from "../../store/job/load.ts";
import { spendingBetween } from "../../store/usage/spending.ts";

export interface EndpointCost extends Spending {
  /** Jobs that completed or failed. */
  jobs: number;
}

export async function endpointCost(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
): Promise<EndpointCost> {
  const cost = await store.read(costOf, accountId, id, clock.now());
  if (!cost) throw new Fault("endpoint_not_found", { id });
  return cost;
}

const EVER = { start: 0, end: Number.MAX_SAFE_INTEGER, unit: "day" } as const;

function* costOf(accountId: string, id: string, now: number): Tx<EndpointCost | null> {
  const endpoint = yield* findEndpoint(id);
  if (endpoint?.accountId !== accountId) return null;
  const spender = { accountId, scope: "endpoint", subjectId: id } as const;
  const { completed, failed } = yield* jobCounts(id);
  return { ...(yield* spendingBetween(spender, EVER, now)), jobs: completed + failed };
}
