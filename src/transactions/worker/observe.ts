// Records observations of a worker: its start, its signal, its end, and that it cannot serve.

import { howEnded } from "../../domain/pod/after-end.ts";
import { CHILD_OOM_TEXT } from "../../domain/pod/log-text.ts";
import type { StartStep } from "../../domain/worker/cold-start.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { releaseGpus } from "../../store/held-gpu/held-gpu.ts";
import { deleteStopsOf } from "../../store/job/stop.ts";
import { addSystemLine } from "../../store/log/system-log.ts";
import { setRunning, setStartStep } from "../../store/worker/start.ts";
import {
  type RecordedWorkerEnd,
  setEnded,
  setSignalled,
  setUnhealthy,
} from "../../store/worker/worker.ts";
import { endFailedStart } from "../trace/worker-spans.ts";
import { endWorkerMeter, meterWorker } from "./meter.ts";
import { notifyWorker } from "./notify.ts";

/**
 * A worker that is unable to serve, by its own report or by Freehold's judgement, takes no more
 * jobs.
 */
export function* markUnhealthy(id: string, reason: string): Tx<void> {
  yield* setUnhealthy(id, reason);
  yield* notifyWorker(id);
  yield* notify(topic.serving);
  yield* notify(topic.fleet);
}

export function* markStartStep(id: string, step: StartStep, at: number): Tx<void> {
  yield* setStartStep(id, step, at);
  yield* notify(topic.changedWithin("worker", id));
}

export function* markStarted(id: string, at: number): Tx<void> {
  if (!(yield* setRunning(id, at))) return;
  yield* addSystemLine(id, at, "started");
  yield* meterWorker(id, at);
  yield* notify(topic.changedWithin("worker", id));
}

/** Releases its polls, so that it sees the signal that follows. */
export function* markSignalled(id: string, at: number): Tx<void> {
  yield* setSignalled(id, at);
  yield* notify(topic.worker(id));
}

/** False if its end was recorded before. */
export function* markEnded(id: string, end: RecordedWorkerEnd & { childOom?: true }): Tx<boolean> {
  if (!(yield* setEnded(id, end))) return false;
  if (end.childOom) yield* addSystemLine(id, end.at, CHILD_OOM_TEXT);
  yield* addSystemLine(id, end.at, endText(end));
  yield* endFailedStart(id, endText(end), end.at);
  yield* endWorkerMeter(id, end.at);
  yield* deleteStopsOf(id);
  yield* releaseGpus(id);
  yield* notifyWorker(id);
  yield* notify(topic.serving);
  yield* notify(topic.authCache);
  yield* notify(topic.fleet);
  return true;
}

function endText({ exitCode, signal, cause }: RecordedWorkerEnd): string {
  const oom = cause === "out_of_memory";
  if (!oom && cause) return `could not be started: ${cause.replaceAll("_", " ")}`;
  return `ended ${howEnded({ exitCode, signal, oom })}`;
}
