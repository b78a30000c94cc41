// Records observations of a Pod's container. Each record names the generation that it is about, so
// that an observation of an old container does not change a Pod for which a new one is desired.

import type { EndCause } from "../../domain/container/end-cause.ts";
import type { End } from "../../domain/pod/after-end.ts";
import { endedText, notStartedText, runningText, startingText } from "../../domain/pod/log-text.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { containerEvent } from "../../domain/pod/pod-event.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { addSystemLine } from "../../store/log/system-log.ts";
import { notifyPod } from "../../store/pod/notify.ts";
import { changePod, changePodIf, lockPod } from "../../store/pod/row.ts";
import { meterRunning, meterStopped } from "./meter.ts";
import { noteSandboxRunning } from "./record-sandbox.ts";

/**
 * Called before a container is started; returns false if by now another container, or none, is
 * desired.
 */
export function* markStarting(pod: Pod, generation: number, now: number): Tx<boolean> {
  const { observed, placement } = pod;
  const isDesired = yield* changePodIf(
    pod.id,
    {
      observed: {
        state: "starting",
        startedGeneration: generation,
        startedGpus: placement.gpus,
      },
    },
    "round = ? and state = 'RUNNING'",
    generation,
  );
  if (!isDesired) return false;
  const event = containerEvent("container_starting", observed.state, "starting");
  yield* addSystemLine(pod.id, now, startingText(pod), event);
  yield* notify(topic.changed(pod.accountId, "pod", pod.id));
  return true;
}

export interface RunningContainer {
  startedAt: number;
  dataCenterId: string | null;
  publicIp: string | null;
}

export function* markRunning(
  { id, observed: { startedGeneration } }: Pod,
  { startedAt, publicIp, dataCenterId }: RunningContainer,
): Tx<void> {
  const pod = yield* lockPod(id);
  if (pod?.observed.startedGeneration !== startedGeneration) return;
  yield* changePod(id, {
    observed: { state: "running", startedAt, lastEnd: null, publicIp },
    backoff: { failedStarts: null },
  });
  // The machine's clock may be behind, but no container runs before it was requested.
  const since = Math.max(startedAt, pod.desired.changedAt);
  if (pod.desired.state === "RUNNING") yield* meterRunning(pod, dataCenterId, since);
  if (pod.desired.spec.sandbox) yield* noteSandboxRunning(pod, since);
  const event = containerEvent("container_running", pod.observed.state, "running");
  yield* addSystemLine(id, startedAt, runningText(pod.observed.portMappings), event);
  yield* notifyPod(pod);
}

interface NextStart {
  /** The recent ends, this one among them. */
  ends: number[];
  /** The next container is not started before; 0 if none follows. */
  startAt: number;
}

interface EndLog {
  /** The time of its lines in the log, after the last one of the container. */
  at: number;
  /** The lines before the one that says how it ended. */
  before: readonly string[];
}

/** Records that the container ended by itself. */
export function* markPodEnded(
  pod: Pod,
  end: End,
  { ends, startAt }: NextStart,
  { at: loggedAt, before }: EndLog = { at: end.at, before: [] },
): Tx<boolean> {
  const { desired, observed } = pod;
  const isNew = yield* changePodIf(
    pod.id,
    { observed: { state: "ended", lastEnd: end, publicIp: null }, backoff: { ends, startAt } },
    "started_round = ? and observed <> 'ended'",
    observed.startedGeneration,
  );
  if (isNew && desired.state === "RUNNING") yield* meterStopped(pod.id, end.at);
  if (isNew) {
    for (const line of before) yield* addSystemLine(pod.id, loggedAt, line);
    const event = containerEvent("container_ended", observed.state, "ended");
    yield* addSystemLine(pod.id, loggedAt, endedText(end, startAt), event);
  }
  yield* notifyPod(pod);
  return isNew;
}

export interface StartFailure {
  sentence: string;
  /** The reason as a code, if it is certain. */
  cause: EndCause | null;
  /** The engine's own words, for operators only; null if there are none. */
  engine: string | null;
}

/** Records that a start failed; the next try is at `startAt`. */
export function* markNotStarted(
  pod: Pod,
  failure: StartFailure,
  now: number,
  startAt: number,
): Tx<void> {
  const { sentence, cause, engine } = failure;
  const { count, since } = pod.backoff.failedStarts ?? { count: 0, since: now };
  const isCurrent = yield* changePodIf(
    pod.id,
    {
      observed: { state: "none" },
      backoff: {
        startAt,
        failedStarts: { count: count + 1, since, sentence, cause, engine },
      },
    },
    "round = ?",
    pod.desired.generation,
  );
  if (isCurrent) {
    const event = containerEvent("start_failed", pod.observed.state, "none");
    yield* addSystemLine(pod.id, now, notStartedText(sentence, now, startAt), event);
  }
  yield* notifyPod(pod);
}

/** Records that the container was stopped, as desired. */
export function* markPodStopped({ id }: Pick<Pod, "id">, at: number): Tx<void> {
  const pod = yield* lockPod(id);
  if (!pod) return;
  const { state, lastEnd } = pod.observed;
  const end = { exitCode: null, signal: null, oom: false, ...lastEnd, at };
  yield* changePod(id, { observed: { state: "none", lastEnd: end, publicIp: null } });
  yield* meterStopped(id, at);
  const event = containerEvent("container_gone", state, "none");
  yield* addSystemLine(id, at, "the container is stopped", event);
  yield* notifyPod(pod);
}
