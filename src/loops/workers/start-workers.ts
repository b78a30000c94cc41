// Starts the workers that endpoints lack, one at a time: each next one goes to the account with the smallest share of
// the machines.

import { driverOfRemote } from "../../domain/machine/remote.ts";
import { driverOn } from "../../domain/placement/driver-on.ts";
import {
  addHeld,
  dominantShare,
  firstInTurn,
  type Held,
  heldByWorker,
  nothingHeld,
} from "../../domain/placement/fair-share.ts";
import { driverOf } from "../../domain/worker/placement.ts";
import type { Allocation } from "../../domain/worker/worker.ts";
import { findRelease } from "../../store/endpoint/endpoint.ts";
import { remoteMachines } from "../../store/remote-machine/remote-machine.ts";
import { liveMachines } from "../../store/replica/replica.ts";
import { readStanding } from "../../transactions/place/shares.ts";
import type { Each } from "../engine/each.ts";
import {
  type Fleets,
  type Lack,
  type Lacking,
  startWorker,
  type WorkerStartDeps,
} from "./start-worker.ts";

/** Returns whether anything was changed. */
export async function startWorkers(
  deps: WorkerStartDeps,
  lacks: readonly Lack[],
  fleets: Fleets,
  each: Each,
): Promise<boolean> {
  if (lacks.length === 0) return false;
  const now = deps.clock.now();
  const since = now - deps.heartbeatTiming.goneMs;
  let lacking = await contendersOf(deps, lacks, since, now);
  const shares = await readShares(deps, fleets, since);
  let isChanged = false;
  for (;;) {
    const next = firstInTurn(lacking, shares.of);
    if (!next) return isChanged;
    const start = () => deps.store.write(startWorker, deps, next, fleets, { since, now });
    const outcome = await each.try(start);
    // The replica that took over leadership decides from what it reads now.
    if (outcome === "not leading") return isChanged;
    const hasStarted = typeof outcome === "object";
    isChanged ||= hasStarted || outcome === "handed over";
    if (hasStarted) {
      shares.add(next.accountId, outcome);
      next.start -= 1;
    }
    if (!hasStarted || next.start === 0) lacking = lacking.filter((other) => other !== next);
  }
}

async function contendersOf(
  { store, isThrottled }: WorkerStartDeps,
  lacks: readonly Lack[],
  since: number,
  now: number,
): Promise<Lacking[]> {
  const machines = await store.read(liveMachines, since);
  // A remote that is offline has its driver still, and its endpoints wait for it.
  const remoteDrivers = (await store.read(remoteMachines)).map(driverOfRemote);
  const offered = (name: string) =>
    [...machines.map(({ drivers }) => drivers), remoteDrivers].some(
      (drivers) => driverOn(drivers, name) !== null,
    );
  const found: Lacking[] = [];
  for (const lack of lacks) {
    const { id: endpointId, accountId, version } = lack.endpoint;
    if (isThrottled(endpointId)) continue;
    const release = await store.read(findRelease, endpointId, version);
    if (!release) continue;
    const waitingSince = lack.oldestWaitingMs === null ? null : now - lack.oldestWaitingMs;
    const driver = driverOf(release.workload, offered);
    found.push({ ...lack, accountId, endpointId, waitingSince, release, driver });
  }
  return found;
}

/** With one account there is nothing to share, and nothing is read. */
async function readShares({ store }: WorkerStartDeps, fleets: Fleets, since: number) {
  const accounts = new Set([...fleets.values()].map(({ endpoint }) => endpoint.accountId));
  if (accounts.size < 2) return { of: () => 0, add: () => {} };
  const accountOf = (endpointId: string) => fleets.get(endpointId)?.endpoint.accountId;
  const { total, heldBy } = await store.read(readStanding, since, accountOf);
  const started = new Map<string, Held>();
  const startedBy = (accountId: string) => started.get(accountId) ?? nothingHeld;
  return {
    of: (accountId: string) =>
      dominantShare(addHeld(heldBy(accountId), startedBy(accountId)), total),
    add: (accountId: string, allocation: Allocation) =>
      void started.set(accountId, addHeld(startedBy(accountId), heldByWorker(allocation))),
  };
}
