// The facts that explain a queue: those that the autoscale loop decides from, and its decision.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { capacity, type Fleet, type Pause } from "../../domain/endpoint/fleet.ts";
import { decideFleet, type FleetPlan } from "../../domain/endpoint/fleet-plan.ts";
import type { QueueFacts } from "../../domain/why/facts.ts";
import { workerRateOn } from "../../domain/worker/rate.ts";
import type { Worker } from "../../domain/worker/worker.ts";
import { findRelease } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findWorker } from "../../store/worker/worker.ts";
import { maySpend } from "../../transactions/money/spend.ts";
import { machinesMounting } from "../../transactions/network-volume/of-worker.ts";
import { lackOfCapacity } from "../endpoint/capacity.ts";
import { readFleet } from "../endpoint/fleet.ts";
import { listMachines } from "../machine/list.ts";
import { modelLoading } from "../worker/model-loading.ts";
import { endingOf, lastLines, type WhyDeps } from "./collect-facts.ts";
import { turnFacts } from "./turn-facts.ts";

export async function queueFacts(
  deps: WhyDeps,
  endpoint: Endpoint,
  now: number,
  position: Pick<QueueFacts, "ahead" | "lowPriority">,
): Promise<QueueFacts> {
  const machines = await listMachines(deps);
  const queue = await deps.store.read(readQueue, endpoint, now);
  const { fleet, failures, logWorker, release, paused, mounting } = queue;
  const workload = release?.workload;
  const driver = workload === undefined ? null : deps.driverOfRelease(workload);
  const plan = decideFleet(fleet);
  const passedOver =
    plan.start > 0 && driver !== null ? await lackOfCapacity(deps, endpoint, driver, now) : null;
  return {
    fleet,
    plan,
    deleted: endpoint.deletedAt !== null,
    paused: paused ?? (await deps.store.read(furtherPause, deps.catalog, endpoint, plan, now)),
    driver: { name: driver ?? workload?.driver ?? "docker", here: driver !== null },
    mountable:
      mounting === null || machines.some((each) => each.online && mounting.has(each.machine)),
    passedOver,
    turn: passedOver && (await turnFacts(deps, endpoint, plan.reason.facts.oldestWaitingMs, now)),
    ends: failures.map(endingOf),
    log: logWorker && { workerId: logWorker.id, lines: await lastLines(deps, logWorker) },
    starting: queue.starting,
    loading: logWorker && (await deps.store.read(modelLoading, logWorker)),
    ...position,
    ...(endpoint.spec.type === "LB" && { serving: { finding: findingOf(logWorker) } }),
  };
}

/** What keeps the endpoint from one more worker than it has, as the loop that starts it would find. */
function* furtherPause(
  catalog: Catalog,
  { id: endpointId, accountId, keyId, spec }: Endpoint,
  { start, reason }: FleetPlan,
  now: number,
): Tx<Pause | null> {
  if (start === 0 || capacity(reason.facts) === 0) return null;
  const rate = workerRateOn(catalog, spec, spec.gpuTypeIds[0] ?? null, spec.gpuCount);
  const refusal =
    rate > 0 ? yield* maySpend({ accountId, keyId, endpointId }, { rate }, now) : null;
  return refusal?.code === "no_credits" ? { code: "no_credits", lacks: refusal.message } : null;
}

const findingOf = (worker: Worker | null) =>
  worker?.health && worker.health.state !== "ready" ? worker.health.finding : null;

function* readQueue(endpoint: Endpoint, now: number) {
  const fleet = yield* readFleet(endpoint, now);
  const release = yield* findRelease(endpoint.id, endpoint.version);
  const mounting = yield* machinesMounting(release?.workload.networkVolumeIds ?? []);
  const starting = yield* startingWorker(fleet.fleet);
  // The worker with the most relevant log.
  const logWorker = fleet.failures[0] ?? starting;
  return { ...fleet, release, mounting, starting, logWorker };
}

/** The worker that has been starting longest. */
function* startingWorker({ workers }: Fleet): Tx<Worker | null> {
  const first = workers.find(({ state }) => state === "starting");
  return (first && (yield* findWorker(first.id))) ?? null;
}
