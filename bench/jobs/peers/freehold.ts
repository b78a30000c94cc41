// The peer Freehold: its npm package, started as a user does, on a home with the benchmark's endpoint and workers.
import path from "node:path";
import { createInterface } from "node:readline";
import { buildFreehold } from "../../../bin/release/npm.mjs";
import { benchEndpoint, benchKey, benchWorkers } from "../bench-key.ts";
import type { Home, NewHome } from "../host/home.ts";
import { type PeerProcess, spawnTracked, stopProcess } from "../host/peer-process.ts";
import type { StartedPeer } from "../peers.ts";

const root = path.join(import.meta.dirname, "..", "..", "..");
let built: Promise<unknown> | null = null;

/** The command of the npm package, which is built once in each run. */
async function buildLauncher(): Promise<string> {
  built ??= buildFreehold();
  await built;
  return path.join(root, "dist", "freehold", "freehold.mjs");
}

export interface StartedServer extends StartedPeer {
  pid: number;
  /** From spawn to the first 200 of /readyz. */
  readyMs: number;
}

/** Starts Freehold on a home that outlives the server. */
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

/** Starts Freehold on a new home, which is dropped when the server stops. */
export async function startAnew(newHome: NewHome): Promise<StartedServer> {
  const home = await newHome();
  const server = await startOn(home);
  const stop = async () => {
    await server.stop();
    await home.drop();
  };
  return { ...server, stop };
}

/** Starts the service and waits until /readyz answers 200. */
export async function startFreehold(
  environment: Record<string, string>,
  nodeFlags: string[] = [],
): Promise<PeerProcess> {
  const launcher = await buildLauncher();
  const startedAt = performance.now();
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
    child.once("exit", (code) =>
      reject(new Error(`freehold exited with ${code} before it listened`)),
    );
  });
  const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
  if (status !== 200) throw new Error(`/readyz answered ${status}`);
  const readyMs = performance.now() - startedAt;
  return { pid: child.pid!, port, readyMs, stop: () => stopProcess(child) };
}
