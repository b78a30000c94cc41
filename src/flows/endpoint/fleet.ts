// What the decision about an endpoint's workers is made of, as one consistent look: the autoscale
// loop decides from it, and `why` explains from the same.

import { decideBrake, failuresOf, type WorkerEnd } from "../../domain/endpoint/crash-brake.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { Fleet, FleetWorker, Pause, QueueLoad } from "../../domain/endpoint/fleet.ts";
import { spentText } from "../../domain/money/budget.ts";
import { workerPhase } from "../../domain/worker/phase.ts";
import { isDisabled } from "../../store/account/standing.ts";
import { spentBudget } from "../../store/budget/budget.ts";
import { queueLoad } from "../../store/job/load.ts";
import { prepaid } from "../../store/money/prepaid.ts";
import type { Verb } from "../../store/statement.ts";
import {
  endedWorkers,
  type LiveWorker,
  liveWorkers,
  type WorkerRow,
} from "../../store/worker/worker.ts";

/** As many ends as the brake looks back on. */
const ENDS = 10;

/** With the workers whose ends the brake counts, the latest first. */
export function* lookAtFleet(
  endpoint: Endpoint,
  now: number,
): Verb<{ fleet: Fleet; failures: WorkerRow[]; paused: Pause | null }> {
  const { spec, version } = endpoint;
  const live = yield* liveWorkers(endpoint.id);
  const ended = yield* endedWorkers(endpoint.id, ENDS);
  const disabled = yield* isDisabled(endpoint.accountId);
  const paused = yield* pauseOf(endpoint, now);
  const none = endpoint.deletedAt !== null || paused !== null || disabled;
  const ends = ended.map((worker) => ({ ...asEnd(worker), worker }));
  const brakeInput = { version, ends, lastServedAt: lastServed(endpoint, live) };
  const fleet = {
    version,
    policy: {
      workersMin: none ? 0 : spec.workersMin,
      workersMax: none ? 0 : spec.workersMax,
      scalerType: spec.scalerType,
      scalerValue: spec.scalerValue,
      idleTimeoutS: spec.idleTimeout,
    },
    queue: withoutDraining(yield* queueLoad(endpoint.id), live),
    workers: live.map(asFleetWorker),
    brake: decideBrake(brakeInput),
    now,
  };
  const failures = failuresOf(brakeInput).map(({ worker }) => worker);
  return { fleet, failures: failures.reverse(), paused };
}

function* pauseOf({ id, accountId, keyId }: Endpoint, now: number): Verb<Pause | null> {
  const account = yield* prepaid(accountId);
  if (account !== null && account.emptySince !== null) return { code: "no_credits" };
  const budget = yield* spentBudget({ accountId, keyId, endpointId: id }, now);
  if (!budget) return null;
  return { code: "budget_spent", what: spentText(budget), until: budget.spentUntil! };
}

/** Jobs on workers that are on their way out ask for no worker: they have theirs to the end. */
function withoutDraining(load: QueueLoad, live: LiveWorker[]): QueueLoad {
  const leaving = live.filter(({ desired }) => desired !== "run");
  const held = leaving.reduce((sum, worker) => sum + worker.held, 0);
  return { ...load, inProgress: Math.max(0, load.inProgress - held) };
}

function asFleetWorker(worker: LiveWorker): FleetWorker {
  const phase = workerPhase(worker);
  return {
    id: worker.id,
    version: worker.version,
    state: phase === "ended" ? "draining" : phase,
    startedAt: worker.created_at,
    readyAt: worker.ready_at,
    idleSince: worker.freed_at,
  };
}

function asEnd(worker: WorkerRow): WorkerEnd {
  return {
    version: worker.version,
    endedAt: worker.ended_at!,
    exitCode: worker.exit_code,
    signal: worker.signal,
    served: worker.served,
    lifeMs: worker.ended_at! - worker.created_at,
    // One that cannot serve is told to end, but nobody wanted that.
    wanted: worker.desired !== "run" && worker.unhealthy === null,
  };
}

function lastServed(endpoint: Endpoint, live: LiveWorker[]): number | null {
  const times = live
    .filter(({ version, served }) => version === endpoint.version && served > 0)
    .map(({ freed_at }) => freed_at ?? 0);
  return times.length > 0 ? Math.max(...times) : null;
}
