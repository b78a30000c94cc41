// What a worker printed, as far as the driver that runs it still knows, on whichever machine it is.

import type { LogLine, Looking } from "../../drivers/driver.ts";
import type { Store } from "../../store/store.ts";
import type { WorkerRow } from "../../store/worker/worker.ts";
import type { Neighbours } from "../replica/neighbours.ts";
import { findOwnWorker } from "./find-own.ts";

export interface LogSources {
  /** What looks at the workloads of each driver here. */
  looking: readonly Looking[];
  neighbours: Neighbours;
}

/** The last `tail` lines, the oldest first; `worker_unreachable` where its machine does not answer. */
export async function workerLogs(
  deps: { store: Store } & LogSources,
  accountId: string,
  workerId: string,
  tail: number,
): Promise<LogLine[]> {
  return logOf(deps, await findOwnWorker(deps, accountId, workerId), tail);
}

export async function logOf(
  deps: LogSources,
  worker: Pick<WorkerRow, "id" | "machine">,
  tail: number,
): Promise<LogLine[]> {
  if (!deps.neighbours.isHere(worker.machine)) return deps.neighbours.logs(worker, tail);
  return logHere(deps, worker.id, tail);
}

/** Of a worker on this machine; none where its driver is not here any more. */
export async function logHere(
  { looking }: Pick<LogSources, "looking">,
  workerId: string,
  tail: number,
): Promise<LogLine[]> {
  for (const driver of looking) {
    const lines = await driver.logs(workerId, tail);
    if (lines.length > 0) return lines;
  }
  return [];
}
