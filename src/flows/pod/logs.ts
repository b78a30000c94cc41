// What a Pod's container printed, as far as the driver that runs it still knows.

import type { LogLine } from "../../drivers/driver.ts";
import type { Store } from "../../store/store.ts";
import { type LogSources, logOf } from "../worker/logs.ts";
import { readPod } from "./read.ts";

/** The last `tail` lines, the oldest first. */
export async function podLogs(
  deps: { store: Store } & LogSources,
  accountId: string,
  id: string,
  tail: number,
): Promise<LogLine[]> {
  const { pod } = await readPod(deps, accountId, id);
  return logOf(deps, pod, tail);
}
