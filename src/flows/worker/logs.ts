// What a worker printed, as far as the driver that runs it still knows.

import type { LogLine, Looking } from "../../drivers/driver.ts";
import type { Store } from "../../store/store.ts";
import { findOwnWorker } from "./find-own.ts";

export interface LogSources {
  /** What looks at the workloads of each driver. */
  looking: readonly Looking[];
}

/** The last `tail` lines, the oldest first; none where its driver is not here any more. */
export async function workerLogs(
  deps: { store: Store } & LogSources,
  accountId: string,
  workerId: string,
  tail: number,
): Promise<LogLine[]> {
  const worker = await findOwnWorker(deps, accountId, workerId);
  const driver = deps.looking.find(({ name }) => name === worker.driver);
  return driver ? driver.logs(workerId, tail) : [];
}
