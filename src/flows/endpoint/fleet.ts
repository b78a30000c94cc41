// The facts for the autoscaling decision of an endpoint, from one consistent read. The autoscale loop
// decides from them, and `why` explains from the same facts.

import {
  decideBackOff,
  failuresOf,
  type WorkerEnd,
} from "../../domain/endpoint/crash-loop-back-off.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { Fleet, FleetWorker, Pause, QueueLoad } from "../../domain/endpoint/fleet.ts";
import { spentText } from "../../domain/money/budget.ts";
import { workerPhase } from "../../domain/worker/phase.ts";
import type { EndedWorker } from "../../domain/worker/worker.ts";
import { isDisabled } from "../../store/account/account.ts";
import { prepaid } from "../../store/account/prepaid.ts";
import { spentBudget } from "../../store/budget/budget.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { queueLoad } from "../../store/job/load.ts";
import { requestLoadOf } from "../../store/request-load/request-load.ts";
import { endedWorkers, type ScaledWorker, scaledWorkers } from "../../store/worker/worker.ts";

/** The number of ended workers that the crash-loop back-off considers. */
const MAX_ENDS = 10;

/** Also returns the failed workers that the crash-loop back-off counts, latest first. */
export function* readFleet(
  endpoint: Endpoint,
  now: number,
): Tx<{ fleet: Fleet; failures: EndedWorker[]; paused: Pause | null }> {
  const { spec, version } = endpoint;
  const live = yield* scaledWorkers(endpoint.id);
  const ended = yield* endedWorkers(endpoint.id, MAX_ENDS);
  const disabled = yield* isDisabled(endpoint.accountId);
  const paused = yield* pauseOf(endpoint, now);
  const none = endpoint.deletedAt !== null || paused !== null || disabled;
  const ends = ended.map((worker) => ({ ...asEnd(worker), worker }));
  const backOffInput = { version, ends, lastServedAt: lastServed(endpoint, live) };
  const fleet = {
    version,
    policy: {
      workersMin: none ? 0 : spec.workersMin,
      workersMax: none ? 0 : spec.workersMax,
      scalerType: spec.scalerType,
      scalerValue: spec.scalerValue,
      idleTimeoutS: spec.idleTimeout,
    },
    queue: withoutDraining(yield* loadOf(endpoint), live),
    workers: live.map(asFleetWorker),
    backOff: decideBackOff(backOffInput),
    now,
  };
  const failures = failuresOf(backOffInput).map(({ worker }) => worker);
  return { fleet, failures: failures.reverse(), paused };
}

const loadOf = ({ id, spec }: Endpoint): Tx<QueueLoad> =>
  spec.type === "LB" ? requestLoadOf(id) : queueLoad(id);

function* pauseOf({ id, accountId, keyId, labels }: Endpoint, now: number): Tx<Pause | null> {
  const account = yield* prepaid(accountId);
  if (account !== null && account.emptySince !== null) return { code: "no_credits" };
  const budget = yield* spentBudget({ accountId, keyId, endpointId: id, labels }, now);
  if (!budget) return null;
  return { code: "budget_spent", what: spentText(budget), until: budget.spentUntil! };
}

/** Jobs on workers that drain need no other worker: their own finishes them. */
function withoutDraining(load: QueueLoad, live: ScaledWorker[]): QueueLoad {
  const leaving = live.filter(({ desired }) => desired !== "run");
  const jobsHeld = leaving.reduce((sum, worker) => sum + worker.jobsHeld, 0);
  return { ...load, inProgress: Math.max(0, load.inProgress - jobsHeld) };
}

function asFleetWorker(worker: ScaledWorker): FleetWorker {
  const phase = workerPhase(worker);
  return {
    id: worker.id,
    version: worker.version,
    state: phase === "ended" ? "draining" : phase,
    startedAt: worker.createdAt,
    readyAt: worker.readyAt,
    idleSince: worker.freedAt,
  };
}

function asEnd(worker: EndedWorker): WorkerEnd {
  return {
    version: worker.version,
    endedAt: worker.endedAt,
    exitCode: worker.exitCode,
    signal: worker.signal,
    served: worker.served,
    lifeMs: worker.endedAt - worker.createdAt,
    // An unhealthy worker is stopped by the service, but its end still counts as a failure.
    desired: worker.desired !== "run" && worker.unhealthy === null,
  };
}

function lastServed(endpoint: Endpoint, live: ScaledWorker[]): number | null {
  const times = live
    .filter(({ version, served }) => version === endpoint.version && served > 0)
    .map(({ freedAt }) => freedAt ?? 0);
  return times.length > 0 ? Math.max(...times) : null;
}
