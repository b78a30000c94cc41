// What is seen of a Pod's container is written here. Every note names the round it is of, so that
// what was seen of an old container says nothing about a new one.

import type { End } from "../../domain/pod/after-end.ts";
import { type Happening, seen } from "../../domain/pod/happening.ts";
import { endedText, notStartedText, runningText, startingText } from "../../domain/pod/log-text.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { EndCause } from "../../domain/worker/end-cause.ts";
import { forgetKeptLog } from "../kept-log.ts";
import { change, ring, rows, type Verb } from "../statement.ts";
import { addSystemLine, forgetSystemLines } from "../system-log.ts";
import { topic } from "../wakes.ts";
import { meterRunning, meterStopped } from "./meter.ts";
import { ringPod } from "./ring.ts";
import { lockPod } from "./row.ts";

/** Before a container is started; false where another one, or none, is wanted by now. */
export function* markStarting(pod: Pod, round: number, now: number): Verb<boolean> {
  const changed = yield* change(
    `update pod set observed = 'starting', started_round = ?, started_gpus = gpus
       where id = ? and round = ?
       and state = 'RUNNING'`,
    round,
    pod.id,
    round,
  );
  if (changed === 0) return false;
  const happening = seen("container_starting", pod.observed, "starting");
  yield* addSystemLine(pod.id, now, startingText(pod), happening);
  yield* ring(topic.changed(pod.accountId, "pod", pod.id));
  return true;
}

export interface Running {
  startedAt: number;
  dataCenterId: string | null;
  publicIp: string | null;
}

export function* markRunning(sighted: Pod, running: Running): Verb<void> {
  const { startedAt, publicIp, dataCenterId } = running;
  const pod = yield* lockPod(sighted.id);
  if (pod?.startedRound !== sighted.startedRound) return;
  yield* change(
    `update pod set observed = 'running', started_at = ?, ended_at = null, exit_code = null,
       signal = null, oom = 0, public_ip = ?, failed_starts = 0, failing_since = null,
       trouble = null, trouble_cause = null where id = ?`,
    startedAt,
    publicIp,
    pod.id,
  );
  // A machine's clock may be behind: nothing ran before it was asked for.
  const since = Math.max(startedAt, pod.changedAt);
  if (pod.state === "RUNNING") yield* meterRunning(pod, dataCenterId, since);
  const happening = seen("container_running", pod.observed, "running");
  yield* addSystemLine(pod.id, startedAt, runningText(pod.portMappings), happening);
  yield* ringPod(pod);
}

/** It ended by itself; `startAt` is when the next one may be started. */
export function* markPodEnded(pod: Pod, end: End, ends: number[], startAt: number): Verb<boolean> {
  const changed = yield* change(
    `update pod set observed = 'ended', ended_at = ?, exit_code = ?, signal = ?, oom = ?, ends = ?,
       start_at = ?, public_ip = null where id = ? and started_round = ? and observed <> 'ended'`,
    end.at,
    end.exitCode,
    end.signal,
    Number(end.oom),
    ends.join(),
    startAt,
    pod.id,
    pod.startedRound,
  );
  if (changed > 0 && pod.state === "RUNNING") yield* meterStopped(pod.id, end.at);
  if (changed > 0) {
    const happening = seen("container_ended", pod.observed, "ended");
    yield* addSystemLine(pod.id, end.at, endedText(end, startAt), happening);
  }
  yield* ringPod(pod);
  return changed > 0;
}

export interface StartTrouble {
  sentence: string;
  /** Null where no more is known than the sentence says. */
  cause: EndCause | null;
}

/** A start that failed; it is tried again at `startAt`. */
export function* markNotStarted(
  pod: Pod,
  { sentence, cause }: StartTrouble,
  now: number,
  startAt: number,
): Verb<void> {
  const changed = yield* change(
    `update pod set observed = 'none', start_at = ?, failed_starts = failed_starts + 1,
       failing_since = coalesce(failing_since, ?), trouble = ?,
       trouble_cause = ? where id = ? and round = ?`,
    startAt,
    now,
    sentence,
    cause,
    pod.id,
    pod.round,
  );
  if (changed > 0) {
    const happening = seen("start_failed", pod.observed, "none");
    yield* addSystemLine(pod.id, now, notStartedText(sentence, now, startAt), happening);
  }
  yield* ringPod(pod);
}

/** It is gone, as was wanted. */
export function* markPodStopped(
  { id, accountId, observed }: Pick<Pod, "id" | "accountId" | "observed">,
  at: number,
): Verb<void> {
  const changed = yield* change(
    "update pod set observed = 'none', ended_at = ?, public_ip = null where id = ?",
    at,
    id,
  );
  yield* meterStopped(id, at);
  if (changed > 0) {
    const happening = seen("container_gone", observed, "none");
    yield* addSystemLine(id, at, "the container is stopped", happening);
  }
  yield* ringPod({ id, accountId });
}

/** Of those that are wanted to run there. */
export function* tellMachineLost(machine: string, at: number): Verb<void> {
  const line = `its machine ${machine} is lost: nothing is known of the container until it is heard of`;
  yield* tellAllOn(machine, at, line, seen("machine_lost", null, null));
}

export function* tellMachineBack(machine: string, at: number): Verb<void> {
  const line = `its machine ${machine} is heard of again`;
  yield* tellAllOn(machine, at, line, seen("machine_back", null, null));
}

function* tellAllOn(machine: string, at: number, line: string, what: Happening): Verb<void> {
  const found = yield* rows<{ id: string; account_id: string }>(
    `select id, account_id from pod where machine = ? and state = 'RUNNING' order by id
     /*+ for update */`,
    machine,
  );
  for (const { id, account_id: accountId } of found) {
    yield* addSystemLine(id, at, line, what);
    yield* ringPod({ id, accountId });
  }
}

/** Nothing of a terminated one is left on its machine. */
export function* forgetPod(id: string): Verb<void> {
  const gone = yield* change("delete from pod where id = ? and state = 'TERMINATED'", id);
  if (gone === 0) return;
  yield* change("delete from pod_port where pod_id = ?", id);
  yield* forgetSystemLines(id);
  yield* forgetKeptLog(id);
}
