// A process as it is seen: it runs, or has ended.

import type { Sighting } from "../driver.ts";
import type { Ended } from "./workload-folder.ts";

export function running(id: string, startedAt: number): Sighting {
  return { id, state: "running", startedAt, endedAt: null, exitCode: null, signal: null };
}

export function ended(id: string, { startedAt, endedAt, exitCode, signal }: Ended): Sighting {
  return { id, state: "ended", startedAt, endedAt, exitCode, signal };
}
