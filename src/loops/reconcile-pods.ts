// Makes Pods' containers equal to what is wanted of Pods, and writes down what is seen of them. It
// asks every driver for the whole truth each time, so that after a crash nothing is doubled and
// nothing is forgotten.

import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../base/clock.ts";
import { afterEnd, afterFailedStart, lately } from "../domain/pod/after-end.ts";
import { diffPods, type PodStep } from "../domain/pod/diff.ts";
import type { Pod } from "../domain/pod/pod.ts";
import type { Protocol } from "../domain/protocol.ts";
import type { EndCause } from "../domain/worker/end-cause.ts";
import { type Driver, DriverAway, type Sighting, StartRefused } from "../drivers/driver.ts";
import { lockPod, podsOn } from "../store/pod/row.ts";
import {
  forgetPod,
  markNotStarted,
  markPodEnded,
  markPodStopped,
  markRunning,
  markStarting,
} from "../store/pod/seen.ts";
import { movePod } from "../store/pod/wanted.ts";
import type { Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import { Busy } from "./busy.ts";
import type { Loop } from "./loop.ts";
import { type OwnMachine, portsSeen, workloadOfPod } from "./pod-workload.ts";
import { telling } from "./telling.ts";

/** How long a stopping service waits for what is under way; the next start goes on with it. */
const FINISH_MS = 2_000;

/** What may be mended while the Pod waits; anything else is as it was described. */
const passing: ReadonlySet<EndCause | null> = new Set<EndCause | null>([
  "image_not_found",
  "image_unauthorised",
  "registry_away",
  "disk_full",
  "port_taken",
]);

export interface PodsDeps {
  store: Store;
  clock: Clock;
  log: FastifyBaseLogger;
  protocol: Protocol;
  machine: OwnMachine;
  drivers: Driver[];
}

export function reconcilePodsLoop(deps: PodsDeps): Loop {
  const { store, clock, drivers, log } = deps;
  const busy = new Busy(log);
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
      let again: number | null = null;
      const away: DriverAway[] = [];
      for (const driver of drivers) {
        // One that does not answer keeps nobody from looking after the others.
        const at = await reconcile(deps, busy, driver, skipped).catch((error) => {
          if (!(error instanceof DriverAway)) throw error;
          away.push(error);
          return null;
        });
        if (at !== null) again = Math.min(again ?? at, at);
      }
      if (away.length > 0) throw away[0];
      return again;
    },
    finish: () => busy.end(clock, FINISH_MS),
  };
}

/** Returns when the next container may be started. */
async function reconcile(
  deps: PodsDeps,
  busy: Busy,
  driver: Driver,
  skipped: ReadonlySet<string>,
): Promise<number | null> {
  const seen = await driver.list();
  const pods = (await deps.store.read(podsOn, deps.machine.id)).filter((pod) => {
    return pod.driver === driver.name && !skipped.has(pod.id);
  });
  const now = deps.clock.now();
  for (const step of diffPods(pods, seen, now)) {
    const pod = pods.find(({ id }) => id === step.id)!;
    const sighting = seen.find(({ id }) => id === step.id);
    await carryOut(deps, busy, driver, step, pod, sighting);
  }
  const later = pods.filter(({ state, startAt }) => state === "RUNNING" && startAt > now);
  return later.length > 0 ? Math.min(...later.map(({ startAt }) => startAt)) : null;
}

async function carryOut(
  deps: PodsDeps,
  busy: Busy,
  driver: Driver,
  step: PodStep,
  pod: Pod,
  sighting: Sighting | undefined,
): Promise<void> {
  const { store, clock, machine, protocol } = deps;
  switch (step.do) {
    case "noteRunning": {
      const { startedAt } = sighting!;
      const portMappings = portsSeen(sighting!);
      const { publicIp, inventory } = machine;
      const { dataCenterId } = inventory;
      const running = { startedAt, publicIp, portMappings, dataCenterId };
      return store.write(markRunning, pod, running);
    }
    case "noteEnded":
      await store.write(noteEnd, pod, endOf(sighting, clock.now()));
      return store.wakes.ring(topic.workloads);
    case "noteStopped":
      return busy.run(pod.id, async () => {
        await driver.wipe(pod.id);
        await store.write(markPodStopped, pod.id, clock.now());
      });
    case "start":
      return busy.run(pod.id, () => start(deps, driver, pod, sighting));
    case "stop":
      return busy.run(pod.id, async () => {
        await driver.stop(pod.id, protocol.endGraceMs);
        store.wakes.ring(topic.workloads);
      });
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

async function start(
  deps: PodsDeps,
  driver: Driver,
  pod: Pod,
  sighting: Sighting | undefined,
): Promise<void> {
  const { store, clock, log, machine } = deps;
  try {
    // What the last container wrote beside its volumes does not outlive it.
    if (sighting) await driver.wipe(pod.id);
    if (!(await store.write(markStarting, pod.id, pod.round))) return;
    const tell = telling(deps, pod.id);
    tell(`starting a container of the image ${pod.spec.imageName}`);
    await driver.start(workloadOfPod(pod, machine), tell);
  } catch (error) {
    if (error instanceof DriverAway) throw error; // it says nothing about the Pod
    log.warn({ err: error, pod: pod.id }, "a Pod could not be started");
    const why = error instanceof Error ? error.message : String(error);
    const never = error instanceof StartRefused && !passing.has(error.why);
    await store.write(noteFailedStart, pod, why, never, clock.now());
  } finally {
    store.wakes.ring(topic.workloads);
  }
}

function* noteFailedStart(tried: Pod, why: string, never: boolean, now: number): Verb<void> {
  const pod = yield* lockPod(tried.id);
  if (pod?.round !== tried.round || pod.state !== "RUNNING") return;
  const after = never
    ? ({ do: "giveUp", reason: why } as const)
    : afterFailedStart(why, pod.failedStarts + 1, pod.failingSince ?? now, now);
  yield* markNotStarted(pod, why, now, after.do === "again" ? after.at : 0);
  if (after.do !== "giveUp") return;
  yield* movePod(pod, { event: "giveUp", cause: "gave_up", reason: after.reason, at: now });
}

async function clear({ store }: PodsDeps, driver: Driver, pod: Pod): Promise<void> {
  await driver.remove(pod.id);
  await driver.removeVolume({ kind: "pod", name: pod.id });
  await store.write(forgetPod, pod.id);
}
