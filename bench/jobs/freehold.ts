// A party: Freehold as a user starts it, on a home in which the bench has put its endpoint and workers
// before.
import path from "node:path";
import { createInterface } from "node:readline";
import { benchEndpoint, benchKey, benchWorkers } from "./bench-key.ts";
import type { Home, NewHome } from "./home.ts";
import type { StartedParty } from "./parties.ts";
import { type PartyProcess, spawnTracked, stopProcess } from "./party-process.ts";

const launcher = path.join(import.meta.dirname, "..", "..", "bin", "freehold.mjs");

export interface StartedServer extends StartedParty {
  pid: number;
  /** From spawn to the first good answer of /readyz. */
  readyMs: number;
}

/** Freehold on a home that outlives the server, so that it can be started on it again. */
export async function startOn(home: Home, nodeFlags: string[] = []): Promise<StartedServer> {
  const { pid, port, readyMs, stop } = await startFreehold(home.environment, nodeFlags);
  return {
    pid,
    readyMs,
    port,
    key: benchKey,
    endpointId: benchEndpoint,
    workers: benchWorkers,
    processes: { server: [pid], ...home.processes },
    stop,
  };
}

/** Freehold on a new home that goes with it. */
export async function startAnew(newHome: NewHome): Promise<StartedServer> {
  const home = await newHome();
  const server = await startOn(home);
  const stop = async () => {
    await server.stop();
    await home.drop();
  };
  return { ...server, stop };
}

/** Starts the service and waits until its first probe says that it is ready. */
export async function startFreehold(
  environment: Record<string, string>,
  nodeFlags: string[] = [],
): Promise<PartyProcess> {
  const begun = performance.now();
  const child = spawnTracked(process.execPath, [...nodeFlags, launcher, "up"], {
    ...environment,
    FREEHOLD_LISTEN: "127.0.0.1:0",
    FREEHOLD_API_KEY: benchKey,
  });
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const origin = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line);
      if (origin) resolve(Number(origin[1]));
    });
    child.once("exit", (code) => reject(new Error(`freehold ended with ${code} before it was up`)));
  });
  const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
  if (status !== 200) throw new Error(`freehold says that it is not ready: ${status}`);
  const readyMs = performance.now() - begun;
  return { pid: child.pid!, port, readyMs, stop: () => stopProcess(child) };
}
