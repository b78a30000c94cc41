// What the explanation of a queue rests on: the look that the autoscale loop decides from, and that
// decision.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { decideFleet } from "../../domain/endpoint/fleet-plan.ts";
import type { QueueFacts } from "../../domain/why/facts.ts";
import { findRelease } from "../../store/endpoint/endpoint.ts";
import { decideForWorker } from "../../store/place/worker.ts";
import type { Verb } from "../../store/statement.ts";
import { findWorker, type WorkerRow } from "../../store/worker/worker.ts";
import { lookAtFleet } from "../endpoint/fleet.ts";
import { machinesThere } from "../machine/list.ts";
import { machinesMounting } from "../network-volume/of-worker.ts";
import { endingOf, lastLines, type WhyDeps } from "./look.ts";

export async function queueFacts(
  deps: WhyDeps,
  endpoint: Endpoint,
  now: number,
  asked: Pick<QueueFacts, "ahead" | "lowPriority">,
): Promise<QueueFacts> {
  const machines = await machinesThere(deps);
  const look = await deps.store.read(lookAtQueue, endpoint, now);
  const { fleet, failures, telling, release, paused, mounting } = look;
  const workload = release?.workload;
  const driver = workload === undefined ? null : deps.driverFor(workload);
  const plan = decideFleet(fleet);
  return {
    fleet,
    plan,
    deleted: endpoint.deletedAt !== null,
    paused,
    driver: { name: driver ?? workload?.driver ?? "process", here: driver !== null },
    mountable:
      mounting === null || machines.some((each) => each.online && mounting.has(each.machine)),
    passedOver:
      plan.start > 0 && driver !== null ? await nowhere(deps, endpoint, driver, now) : null,
    ends: failures.map(endingOf),
    log: telling && { workerId: telling.id, lines: await lastLines(deps, telling) },
    ...asked,
  };
}

/** Why no machine would do for a worker; null where one would, or where any will. */
async function nowhere(deps: WhyDeps, endpoint: Endpoint, driver: string, now: number) {
  const since = now - deps.rhythm.goneMs;
  const found = await deps.store.read(decideForWorker, deps.catalog, endpoint.spec, driver, since);
  return found === null || "placed" in found ? null : found.passedOver;
}

function* lookAtQueue(endpoint: Endpoint, now: number) {
  const look = yield* lookAtFleet(endpoint, now);
  const release = yield* findRelease(endpoint.id, endpoint.version);
  const mounting = yield* machinesMounting(release?.workload.networkVolumeIds ?? []);
  return { ...look, release, mounting, telling: yield* tellingWorker(look) };
}

/** Whose log says most: the worker that ended last for nothing, or the one that is starting. */
function* tellingWorker({
  fleet,
  failures,
}: ReturnType<typeof lookAtFleet> extends Verb<infer Look> ? Look : never): Verb<WorkerRow | null> {
  const [last] = failures;
  if (last) return last;
  const starting = fleet.workers.find(({ state }) => state === "starting");
  return (starting && (yield* findWorker(starting.id))) ?? null;
}
