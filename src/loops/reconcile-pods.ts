// Makes Pods' containers equal to what is wanted of Pods, and writes down what is seen of them. It
// asks every driver for the whole truth each time, so that after a crash nothing is doubled and
// nothing is forgotten.

import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../base/clock.ts";
import type { Vault } from "../base/vault.ts";
import { afterEnd, lately } from "../domain/pod/after-end.ts";
import { diffPods, type GpuUser, type PodStep } from "../domain/pod/diff.ts";
import type { Pod } from "../domain/pod/pod.ts";
import type { Protocol } from "../domain/protocol.ts";
import type { Driver, Sighting } from "../drivers/driver.ts";
import type { PodKeys } from "../flows/pod/own-key.ts";
import { lockPod, podsOn } from "../store/pod/row.ts";
import { forgetPod, markPodEnded, markPodStopped, markRunning } from "../store/pod/seen.ts";
import { movePod } from "../store/pod/wanted.ts";
import type { Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import type { Busy } from "./busy.ts";
import { gpuUsers, type Look, lookAt } from "./look.ts";
import type { Loop } from "./loop.ts";
import { startPod } from "./pod-start.ts";
import type { OwnMachine } from "./pod-workload.ts";

/** How long a stopping service waits for what is under way; the next start goes on with it. */
const FINISH_MS = 2_000;

export interface PodsDeps {
  store: Store;
  clock: Clock;
  log: FastifyBaseLogger;
  protocol: Protocol;
  machine: OwnMachine;
  vault: Vault;
  podKeys: PodKeys;
  originFor: (driver: string, accountId: string) => Promise<string>;
  drivers: Driver[];
  /** What is under way on the machine, with workers too. */
  busy: Busy;
}

export function reconcilePodsLoop(deps: PodsDeps): Loop {
  const { store, clock, drivers, busy } = deps;
  for (const driver of drivers) driver.onChange(() => store.wakes.ring(topic.workloads));
  return {
    name: "reconcile-pods",
    shared: false,
    periodMs: 1_000,
    restMs: 20,
    topics: [topic.workloads],
    async turn() {
      // What is under way now may change what is seen before it changes what is written.
      const skipped = busy.now();
      const { looks, away } = await lookAt(drivers);
      const pods = await store.read(podsOn, deps.machine.id);
      for (const pod of pods) cutShort(deps, pod);
      const users = await gpuUsers(store, deps.machine.id, skipped, looks);
      const free = pods.filter(({ id }) => !skipped.has(id));
      for (const look of looks) await reconcile(deps, look, free, users);
      if (away.length > 0) throw away[0];
      const later = free.filter((pod) => pod.state === "RUNNING" && pod.startAt > clock.now());
      return later.length > 0 ? Math.min(...later.map(({ startAt }) => startAt)) : null;
    },
    finish: () => busy.end(clock, FINISH_MS),
  };
}

async function reconcile(
  deps: PodsDeps,
  { driver, seen }: Look,
  all: Pod[],
  users: GpuUser[],
): Promise<void> {
  const pods = all.filter((pod) => pod.driver === driver.name);
  for (const step of diffPods(pods, seen, users, deps.clock.now())) {
    const pod = pods.find(({ id }) => id === step.id)!;
    const sighting = seen.find(({ id }) => id === step.id);
    await carryOut(deps, driver, step, pod, sighting);
  }
}

/** Whoever waits for an image and is not wanted any more, or wanted anew, waits no longer. */
function cutShort({ busy, drivers, protocol }: PodsDeps, pod: Pod): void {
  const starting = busy.doing(pod.id) === startOf(pod.startedRound);
  if (!starting || (pod.state === "RUNNING" && pod.round === pod.startedRound)) return;
  const driver = drivers.find(({ name }) => name === pod.driver);
  busy.beside(pod.id, async () => driver?.stop(pod.id, graceOf(pod, protocol)));
}

const startOf = (round: number) => `start ${round}`;

const graceOf = ({ cause }: Pod, { endGraceMs, evictGraceMs }: Protocol) =>
  cause === "evicted" ? evictGraceMs : endGraceMs;

async function carryOut(
  deps: PodsDeps,
  driver: Driver,
  step: PodStep,
  pod: Pod,
  sighting: Sighting | undefined,
): Promise<void> {
  const { store, clock, machine, protocol, busy } = deps;
  switch (step.do) {
    case "noteRunning": {
      const { startedAt } = sighting!;
      const { publicIp, inventory } = machine;
      const { dataCenterId } = inventory;
      return store.write(markRunning, pod, { startedAt, publicIp, dataCenterId });
    }
    case "noteEnded":
      await store.write(noteEnd, pod, endOf(sighting, clock.now()));
      return store.wakes.ring(topic.workloads);
    case "noteStopped":
      return busy.run(pod.id, async () => {
        await driver.wipe(pod.id);
        await store.write(markPodStopped, pod, clock.now());
      });
    case "start": {
      const start = () => startPod(deps, driver, pod, sighting !== undefined);
      return busy.run(pod.id, start, startOf(pod.round));
    }
    case "stop":
      return busy.run(pod.id, () => driver.stop(pod.id, graceOf(pod, protocol)));
    case "clear":
      return busy.run(pod.id, () => clear(deps, driver, pod));
  }
}

/** One that vanished has left no word of how it ended. */
function endOf(sighting: Sighting | undefined, now: number) {
  return {
    at: sighting?.endedAt ?? now,
    exitCode: sighting?.exitCode ?? null,
    signal: sighting?.signal ?? null,
    oom: sighting?.oom === true,
  };
}

function* noteEnd(seen: Pod, end: ReturnType<typeof endOf>): Verb<void> {
  const pod = yield* lockPod(seen.id);
  if (pod?.startedRound !== seen.startedRound) return;
  const after = afterEnd(end, pod.ends);
  const ends = [...lately(pod.ends, end.at), end.at];
  if (!(yield* markPodEnded(pod, end, ends, after.do === "again" ? after.at : 0))) return;
  // A new one that is wanted already has nothing to do with how the old one ended.
  if (after.do === "again" || pod.round !== pod.startedRound) return;
  const event = after.do;
  const cause = event === "finish" ? "finished" : "gave_up";
  const reason = after.do === "giveUp" ? after.reason : null;
  yield* movePod(pod, { event, cause, reason, at: end.at });
}

async function clear({ store }: PodsDeps, driver: Driver, pod: Pod): Promise<void> {
  await driver.remove(pod.id);
  await driver.removeVolume({ kind: "pod", name: pod.id });
  await store.write(forgetPod, pod.id);
}
