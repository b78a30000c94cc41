// What keeps an endpoint from one more worker than it has, as the loop that starts it would find: quotas and credits.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { capacity, type FurtherPause } from "../../domain/endpoint/fleet.ts";
import type { FleetPlan } from "../../domain/endpoint/fleet-plan.ts";
import { additionOfWorker, expectedShare, shareAt } from "../../domain/quota/of-worker.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { maySpend } from "../../transactions/money/spend.ts";
import { askerOf } from "../../transactions/place/reserved.ts";
import { decideForWorker } from "../../transactions/place/worker.ts";
import { exhaustedForWorker, requireQuota } from "../../transactions/quota/require-quota.ts";
import type { WhyDeps } from "./collect-facts.ts";

type Deps = Pick<WhyDeps, "catalog" | "heartbeatTiming">;

export function* furtherPause(
  deps: Deps,
  endpoint: Endpoint,
  { start, reason, driver }: FleetPlan & { driver: string | null },
  now: number,
): Tx<FurtherPause | null> {
  if (start === 0) return null;
  const excess = driver === null ? null : yield* excessOf(deps, endpoint, driver, now);
  if (excess) return { code: "quota_exceeded", lacks: excess.message };
  if (capacity(reason.facts) === 0) return null;
  const { id: endpointId, accountId, keyId, labels, spec } = endpoint;
  const { rate } = expectedShare(deps.catalog, spec);
  const refusal =
    rate > 0 ? yield* maySpend({ accountId, keyId, endpointId, labels }, { rate }, now) : null;
  return refusal?.code === "no_credits" ? { code: "no_credits", lacks: refusal.message } : null;
}

/** Where the next worker would go decides what it holds. */
function* excessOf(
  { catalog, heartbeatTiming }: Deps,
  endpoint: Endpoint,
  driver: string,
  now: number,
) {
  const { spec } = endpoint;
  const since = now - heartbeatTiming.goneMs;
  const exceptGpuTypes = yield* exhaustedForWorker(endpoint);
  const asker = askerOf(endpoint);
  const search = { since, machine: null, except: null, exceptGpuTypes, asker, at: now };
  const placement = yield* decideForWorker(catalog, spec, driver, search);
  const share = shareAt(catalog, spec, placement);
  return yield* requireQuota(endpoint, additionOfWorker(share));
}
