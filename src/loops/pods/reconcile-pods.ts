// Reconciles Pods with their containers: makes the containers what is desired, and records what is observed
// of them. Each pass asks every driver for all its containers, so that a crash neither doubles nor loses one.

import { Deadline } from "../../base/clock.ts";
import { afterEnd, afterOnlyEnd, type End, recentEnds } from "../../domain/pod/after-end.ts";
import { overdueEndMs } from "../../domain/pod/container/overdue-end.ts";
import { diffPods, type GpuUser, type PodStep } from "../../domain/pod/diff.ts";
import { CHILD_OOM_TEXT } from "../../domain/pod/log-text.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { Driver, Eviction, Observation } from "../../drivers/driver.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockPod, podsOn } from "../../store/pod/row.ts";
import { endMeter } from "../../transactions/money/meter.ts";
import { forgetPod } from "../../transactions/pod/forget.ts";
import { meterStopped } from "../../transactions/pod/meter.ts";
import { movePod } from "../../transactions/pod/move.ts";
import { markPodEnded, markPodStopped, markRunning } from "../../transactions/pod/observe.ts";
import type { Busy } from "../engine/busy-workloads.ts";
import { Each } from "../engine/each.ts";
import { type Loop, PartialFailure } from "../engine/loop.ts";
import { OverdueEnds } from "../engine/overdue-ends.ts";
import { type DriverObservations, gpuUsers, observeAll } from "../machines/observe-machine.ts";
import { ReportedTimes } from "../machines/reported-times.ts";
import { type PodStartDeps, startPod } from "./pod-start.ts";

/** How long a stopping service waits for operations under way; the next start continues them. */
const FINISH_MS = 2_000;

export interface PodsDeps extends PodStartDeps {
  protocol: Protocol;
  drivers: Driver[];
  /** Operations under way on the machine, on workers too. */
  busy: Busy;
}

export function reconcilePodsLoop(deps: PodsDeps): Loop {
  const { store, clock, log, drivers, busy } = deps;
  const times = new ReportedTimes({ store, clock, log, machine: deps.machine.id });
  const overdue = new OverdueEnds({ store, clock, log, machine: deps.machine.id });
  for (const driver of drivers) driver.onChange(() => store.notifier.notify(topic.workloads));
  return {
    name: "reconcile-pods",
    shared: false,
    periodMs: 1_000,
    restMs: 20,
    topics: [topic.workloads],
    async run() {
      // An operation under way may change a container before it is recorded.
      const skipped = busy.now();
      const each = new Each();
      const askedAt = clock.now();
      const { observations, unavailable } = await observeAll(drivers);
      const pods = await store.read(podsOn, deps.machine.id);
      for (const pod of pods) cutShort(deps, pod);
      const users = await gpuUsers(store, deps.machine.id, skipped, observations);
      const idle = pods.filter(({ id }) => !skipped.has(id));
      for (const { driver, containers: reported } of observations) {
        const containers = await times.correct(driver.name, reported, knownTimes(pods), askedAt);
        await reconcile(deps, { driver, containers }, { pods: idle, users, each });
      }
      const here = pods.filter(({ placement }) =>
        drivers.some(({ name }) => name === placement.driver),
      );
      await overdue.report(here, (pod) => overdueEndMs(pod, clock.now(), deps.protocol));
      const again = nextStart(idle, clock.now());
      if (unavailable.length > 0) throw new PartialFailure(unavailable[0], again);
      return each.end(again);
    },
    finish: () => busy.end(new Deadline(clock, FINISH_MS)),
  };
}

const knownTimes = (pods: readonly Pod[]) => (id: string) => {
  const pod = pods.find((each) => each.id === id);
  if (!pod) return null;
  const { createdAt, desired, observed } = pod;
  const isNew =
    desired.state === "RUNNING" &&
    observed.state === "starting" &&
    observed.startedGeneration === desired.generation;
  const requestedAt = Math.max(desired.changedAt, observed.lastEnd?.at ?? 0);
  // The start that the store knows is of the container before.
  if (isNew) return { requestedAt, startedAt: requestedAt };
  return { requestedAt: null, startedAt: observed.startedAt ?? createdAt };
};

/** When the next back-off ends. */
function nextStart(pods: readonly Pod[], now: number): number | null {
  const waiting = pods.filter(({ desired, backoff }) => {
    return desired.state === "RUNNING" && backoff.startAt > now;
  });
  return waiting.length > 0 ? Math.min(...waiting.map(({ backoff }) => backoff.startAt)) : null;
}

async function reconcile(
  deps: PodsDeps,
  { driver, containers }: DriverObservations,
  { pods: all, users, each }: { pods: Pod[]; users: GpuUser[]; each: Each },
): Promise<void> {
  const pods = all.filter(({ placement }) => placement.driver === driver.name);
  for (const step of diffPods(pods, containers, users, deps.clock.now())) {
    const pod = pods.find(({ id }) => id === step.id)!;
    const observation = containers.find(({ id }) => id === step.id);
    await each.try(() => carryOut(deps, driver, { step, pod, observation }));
  }
}

/** Ends a start that waits for its image if another container, or none, is desired. */
function cutShort({ busy, drivers, protocol }: PodsDeps, pod: Pod): void {
  const { desired, observed, placement } = pod;
  const isStarting = busy.doing(pod.id) === startName(observed.startedGeneration);
  const isCurrent = desired.generation === observed.startedGeneration;
  if (!isStarting || (desired.state === "RUNNING" && isCurrent)) return;
  const driver = drivers.find(({ name }) => name === placement.driver);
  busy.beside(pod.id, async () => driver?.stop(pod.id, graceOf(pod, protocol)));
}

const startName = (generation: number) => `start ${generation}`;

const graceOf = ({ desired }: Pod, { endGraceMs, evictGraceMs }: Protocol) =>
  desired.cause === "evicted" ? evictGraceMs : endGraceMs;

interface DueStep {
  step: PodStep;
  pod: Pod;
  /** Undefined without a container. */
  observation: Observation | undefined;
}

async function carryOut(
  deps: PodsDeps,
  driver: Driver,
  { step, pod, observation }: DueStep,
): Promise<void> {
  const { store, clock, machine, protocol, busy } = deps;
  switch (step.do) {
    case "noteRunning": {
      const { startedAt } = observation!;
      const { dataCenterId } = machine.inventory;
      const publicIp = observation!.publicIp ?? machine.publicIp;
      return store.write(markRunning, pod, { startedAt, publicIp, dataCenterId });
    }
    case "noteEnded":
      await store.write(recordEnd, pod, observation, clock.now());
      return store.notifier.notify(topic.workloads);
    case "noteStopped":
      return busy.run(pod.id, async () => {
        await store.write(meterStopped, pod.id, endOf(observation, clock.now()).at);
        await driver.wipe(pod.id);
        await store.write(markPodStopped, pod, clock.now());
      });
    case "start": {
      const start = async () => {
        // Nothing of it runs until the next container does.
        if (pod.observed.startedAt !== null) {
          await store.write(meterStopped, pod.id, endOf(observation, clock.now()).at);
        }
        await startPod(deps, driver, pod, observation !== undefined);
      };
      return busy.run(pod.id, start, startName(pod.desired.generation));
    }
    case "stop":
      return busy.run(pod.id, () => driver.stop(pod.id, graceOf(pod, protocol)));
    case "clear":
      return busy.run(pod.id, async () => {
        await store.write(endMeter, pod.id, endOf(observation, clock.now()).at);
        await clear(deps, driver, pod);
      });
  }
}

/** How a container that vanished ended is unknown. */
function endOf(observation: Observation | undefined, now: number): End {
  return {
    at: observation?.endedAt ?? now,
    exitCode: observation?.exitCode ?? null,
    signal: observation?.signal ?? null,
    oom: observation?.oom === true,
  };
}

/** The container may have printed until the end of the second in which it ended. */
function logTimeOf(observation: Observation | undefined, now: number): number {
  const at = observation?.endedAt ?? now;
  return observation?.inSeconds ? Math.max(at, Math.min(at + 999, now)) : at;
}

function* recordEnd(
  { id, observed: { startedGeneration } }: Pod,
  observation: Observation | undefined,
  now: number,
): Tx<void> {
  const end = endOf(observation, now);
  const eviction = observation?.eviction;
  const pod = yield* lockPod(id);
  if (pod?.observed.startedGeneration !== startedGeneration) return;
  const { sandbox, interruptible } = pod.desired.spec;
  const isFinal = eviction?.cause === "disk_full" || (eviction && interruptible);
  const after = sandbox ? afterOnlyEnd(end) : afterEnd(endFor(eviction, end), pod.backoff.ends);
  const ends = [...recentEnds(pod.backoff.ends, end.at), end.at];
  const startAt = after.do === "again" && !isFinal ? after.at : 0;
  const before = observation?.childOom ? [CHILD_OOM_TEXT] : [];
  const log = { at: logTimeOf(observation, now), before };
  if (!(yield* markPodEnded(pod, end, { ends, startAt }, log))) return;
  // If a new container is desired already, the end of the old one does not matter.
  if (pod.desired.generation !== startedGeneration) return;
  if (isFinal) {
    const { cause, sentence: reason } = eviction;
    const event = cause === "evicted" ? "evict" : "giveUp";
    yield* movePod(pod, { event, cause, reason, at: end.at });
    return;
  }
  if (after.do === "again") return;
  const event = after.do;
  const cause = event === "finish" ? "finished" : "gave_up";
  const reason = after.do === "giveUp" ? after.reason : null;
  yield* movePod(pod, { event, cause, reason, at: end.at });
}

/** A container that was ended by others has not finished, whatever its exit code. */
const endFor = (eviction: Eviction | undefined, end: End): End =>
  eviction ? { ...end, exitCode: null } : end;

async function clear({ store }: PodsDeps, driver: Driver, pod: Pod): Promise<void> {
  await driver.remove(pod.id);
  await driver.removeVolume({ kind: "pod", name: pod.id });
  if (pod.cluster) await driver.removeNetwork(pod.cluster.id);
  await store.write(forgetPod, pod.id);
}
