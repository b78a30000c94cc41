// The facts that explain a queue: those that the autoscale loop decides from, and its decision.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { Fleet } from "../../domain/endpoint/fleet.ts";
import { decideFleet } from "../../domain/endpoint/fleet-plan.ts";
import type { QueueFacts } from "../../domain/why/facts.ts";
import type { Worker } from "../../domain/worker/worker.ts";
import { findRelease } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findWorker } from "../../store/worker/worker.ts";
import { machinesMounting } from "../../transactions/network-volume/of-worker.ts";
import { lackOfCapacity } from "../endpoint/capacity.ts";
import { readFleet } from "../endpoint/fleet.ts";
import { listMachines } from "../machine/list.ts";
import { modelLoading } from "../worker/model-loading.ts";
import { endingOf, lastLines, silentMachineOf, type WhyDeps } from "./collect-facts.ts";
import { furtherPause } from "./further-pause.ts";
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
    paused:
      paused ?? (await deps.store.read(furtherPause, deps, endpoint, { ...plan, driver }, now)),
    driver: { name: driver ?? workload?.driver ?? "docker", here: driver !== null },
    mountable:
      mounting === null || machines.some((each) => each.online && mounting.has(each.machine)),
    passedOver,
    turn: passedOver && (await turnFacts(deps, endpoint, plan.reason.facts.oldestWaitingMs, now)),
    ends: failures.map(endingOf),
    log: logWorker && { workerId: logWorker.id, lines: await lastLines(deps, logWorker) },
    starting: queue.starting,
    silentMachine: queue.starting && silentMachineOf(machines, queue.starting),
    loading: logWorker && (await deps.store.read(modelLoading, logWorker)),
    ...position,
    ...(endpoint.spec.type === "LB" && { serving: { finding: findingOf(logWorker) } }),
  };
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
