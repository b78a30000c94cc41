// Who is measured: every party is a server process started fresh, in an empty directory, and ended
// again, so that no round inherits another's heap or files.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { benchEndpoint, benchKey } from "./bench-key.ts";
import { startParty } from "./party-process.ts";
import { type SyncPolicy, startRedis } from "./redis.ts";

export interface StartedParty {
  port: number;
  key: string;
  endpointId: string;
  /** Its processes by name; the first is the server, and all together are what a user pays for. */
  processes: Record<string, number[]>;
  stop(): Promise<void>;
}

export interface Party {
  name: string;
  /** What it is, for a reader of the table. */
  is: string;
  start(): Promise<StartedParty>;
}

const script = (name: string) => path.join(import.meta.dirname, name);

async function plain(name: string): Promise<StartedParty> {
  const server = await startParty(script(name));
  const processes = { server: [server.pid] };
  const { port, stop } = server;
  return { port, key: benchKey, endpointId: benchEndpoint, processes, stop };
}

async function bullmq(sync: SyncPolicy): Promise<StartedParty> {
  const directory = mkdtempSync(path.join(tmpdir(), "freehold-bench-"));
  const redis = await startRedis(directory, sync);
  const server = await startParty(script("bullmq.ts"), { BENCH_REDIS_PORT: String(redis.port) });
  return {
    port: server.port,
    key: benchKey,
    endpointId: benchEndpoint,
    processes: { server: [server.pid], redis: [redis.pid] },
    stop: async () => {
      await server.stop();
      await redis.stop();
      rmSync(directory, { recursive: true });
    },
  };
}

/** Not measured against, but shown: where the load generator itself tops out. */
export const ceiling: Party = {
  name: "ceiling",
  is: "canned answers over bare sockets: what the load generator itself can do",
  start: () => plain("raw-server.ts"),
};

export const floor: Party = {
  name: "floor",
  is: "the same routes over maps in memory, nothing stored",
  start: () => plain("floor.ts"),
};

export const bullmqAlways: Party = {
  name: "bullmq-always",
  is: "BullMQ on Redis behind the same routes, appendfsync always",
  start: () => bullmq("always"),
};

export const bullmqEverysec: Party = {
  name: "bullmq-everysec",
  is: "BullMQ on Redis behind the same routes, appendfsync everysec",
  start: () => bullmq("everysec"),
};
