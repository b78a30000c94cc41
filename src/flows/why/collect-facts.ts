// The parts that facts of an explanation share: their dependencies, a worker's last lines and its end.

import type { Clock } from "../../base/clock.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { WorkerEnding } from "../../domain/why/answer.ts";
import type { EndedWorker, Worker } from "../../domain/worker/worker.ts";
import type { Store } from "../../store/engine/store.ts";
import { type LogSources, logOf } from "../log/source.ts";
import type { CapacityDeps } from "../worker/capacity.ts";

export interface WhyDeps extends CapacityDeps, LogSources {
  store: Store;
  clock: Clock;
  protocol: Protocol;
  heartbeatTiming: HeartbeatTiming;
}

const LOG_LINES = 20;
const MAX_LINE_LENGTH = 500;

/**
 * The last lines that a worker printed; none if its machine does not respond or has no lines left.
 */
export async function lastLines(
  deps: WhyDeps,
  worker: Pick<Worker, "id" | "machine">,
): Promise<string[]> {
  const lines = await logOf(deps, worker, LOG_LINES).catch(() => []);
  return lines.map(({ text }) => text.slice(0, MAX_LINE_LENGTH));
}

export function endingOf(worker: EndedWorker): WorkerEnding {
  const { id: workerId, endedAt, exitCode, signal, endCause, unhealthy } = worker;
  const cause = endCause !== null && { cause: endCause };
  return { workerId, endedAt, exitCode, signal, ...cause, unhealthy };
}
