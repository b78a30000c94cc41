// Freehold on a data folder that outlives the server, so that it can be started on it again.
import { benchEndpoint, benchKey, benchWorkers } from "../bench-key.ts";
import { startFreehold } from "../freehold.ts";
import type { StartedParty } from "../parties.ts";

export interface StartedServer extends StartedParty {
  pid: number;
  /** From spawn to the first good answer of /readyz. */
  readyMs: number;
}

export async function startOn(folder: string): Promise<StartedServer> {
  const { pid, port, readyMs, stop } = await startFreehold(folder);
  return {
    pid,
    readyMs,
    port,
    key: benchKey,
    endpointId: benchEndpoint,
    workers: benchWorkers,
    processes: { server: [pid] },
    stop,
  };
}
