// The parts that facts of an explanation share: their dependencies, a worker's last lines and its end.

import type { Clock } from "../../base/clock.ts";
import type { Job } from "../../domain/job/job.ts";
import { type JobSpan, mayBeOfJob } from "../../domain/log/job-lines.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { WorkerEnding } from "../../domain/why/answer.ts";
import type { EndedWorker, Worker } from "../../domain/worker/worker.ts";
import type { Store } from "../../store/engine/store.ts";
import type { CapacityDeps } from "../endpoint/capacity.ts";
import { readJobLog } from "../log/job-log.ts";
import type { MachineView } from "../machine/list.ts";
import { type LogSources, logOf } from "../replica/log-source.ts";

export interface WhyDeps extends CapacityDeps, LogSources {
  store: Store;
  clock: Clock;
  protocol: Protocol;
  heartbeatTiming: HeartbeatTiming;
}

/** The machine of a workload that needs its container engine, if that does not answer; else null. */
export function silentMachineOf(
  machines: readonly MachineView[],
  { machine, driver }: { machine: string; driver: string },
): string | null {
  const host = machines.find((each) => each.machine === machine);
  return driver === "docker" && host?.inventory.engineTrouble !== undefined ? machine : null;
}

const LOG_LINES = 20;
const MAX_LINE_LENGTH = 500;

/** The lines of a log that are searched for those of one job. */
const SEARCHED_LINES = 1_000;

/**
 * The last lines that a worker printed; none if its machine does not respond or has no lines left.
 */
export async function lastLines(
  deps: WhyDeps,
  worker: Pick<Worker, "id" | "machine">,
): Promise<string[]> {
  return shortened(await logOf(deps, worker, LOG_LINES).catch(() => []));
}

/**
 * The last lines that a worker printed while it had a job. A log without times says nothing of that; then it
 * is what was stored of the job's log.
 */
export async function lastLinesOfJob(
  deps: WhyDeps,
  worker: Pick<Worker, "id" | "machine">,
  job: Job,
  span: JobSpan,
): Promise<string[]> {
  const read = await logOf(deps, worker, SEARCHED_LINES, span.from).catch(() => []);
  const timed = read.flatMap(({ at, text }) => (at === null ? [] : [{ at, text }]));
  if (timed.length > 0) return shortened(timed.filter((line) => mayBeOfJob(line, span)));
  const stored = await readJobLog(deps, job, { tail: LOG_LINES, since: span.from });
  return shortened(stored.lines);
}

const shortened = (lines: readonly { text: string }[]) =>
  lines.slice(-LOG_LINES).map(({ text }) => text.slice(0, MAX_LINE_LENGTH));

export function endingOf(worker: EndedWorker): WorkerEnding {
  const { id: workerId, endedAt, exitCode, signal, endCause, unhealthy } = worker;
  const cause = endCause !== null && { cause: endCause };
  return { workerId, endedAt, exitCode, signal, ...cause, unhealthy };
}
