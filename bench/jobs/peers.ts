// The peers of the benchmark. Each round starts a peer anew in an empty directory, so that no round inherits the heap
// or files of another.
import path from "node:path";
import {
  type BenchWorker,
  benchEndpoint,
  benchKey,
  benchWorkers,
  workersWithOneKey,
} from "./bench-key.ts";
import { dropFolder, newFolder, postgresHome, sqliteHome } from "./host/home.ts";
import { startNats } from "./host/nats.ts";
import { startPeer } from "./host/peer-process.ts";
import { postgres } from "./host/postgres.ts";
import type { QueueServer } from "./host/queue-server.ts";
import { startRedis } from "./host/redis.ts";
import { startAnew } from "./peers/freehold.ts";

export interface StartedPeer {
  port: number;
  key: string;
  endpointId: string;
  workers: BenchWorker[];
  /** Its processes by name. The first is the server; a user pays for all of them. */
  processes: Record<string, number[]>;
  stop(): Promise<void>;
}

export interface Peer {
  name: string;
  /** What is on disk when a job or a result is acknowledged. */
  durability: "nothing" | "everything" | "all but the last second";
  start(): Promise<StartedPeer>;
}

const serve = path.join(import.meta.dirname, "peers", "serve.ts");
const withoutStop = { key: benchKey, endpointId: benchEndpoint, workers: workersWithOneKey };

async function plain(
  script: string,
  workers: BenchWorker[],
  args: string[] = [],
): Promise<StartedPeer> {
  const { pid, port, stop } = await startPeer(
    path.join(import.meta.dirname, "peers", script),
    args,
  );
  return { ...withoutStop, workers, port, processes: { server: [pid] }, stop };
}

/** A queue of `peers/queues` over a server of its own. */
async function overServer(
  queue: string,
  start: (folder: string) => Promise<QueueServer>,
): Promise<StartedPeer> {
  const folder = newFolder();
  const backend = await start(folder);
  const server = await startPeer(serve, [queue], { BENCH_BACKEND: backend.url });
  return {
    ...withoutStop,
    port: server.port,
    processes: { server: [server.pid], [backend.name]: [backend.pid] },
    stop: async () => {
      await server.stop();
      await backend.stop();
      dropFolder(folder);
    },
  };
}

async function databaseOnPostgres(): Promise<QueueServer> {
  const server = await postgres();
  const url = await server.newDatabase();
  return { name: "postgres", pid: server.pid, url, stop: () => server.dropDatabase(url) };
}

/** Not a peer: the limit of the load generator itself, canned answers over bare sockets. */
export const startCeiling = () => plain("raw-server.ts", workersWithOneKey);

/** The same routes on plain Fastify over maps in memory. */
export const bareFloor: Peer = {
  name: "bare Fastify",
  durability: "nothing",
  start: () => plain("serve.ts", workersWithOneKey, ["memory"]),
};

/** Freehold's own server and flows over maps in memory. */
export const edgeFloor: Peer = {
  name: "Freehold's edge",
  durability: "nothing",
  start: () => plain("edge-floor.ts", benchWorkers),
};

export const freeholdOnSqlite: Peer = {
  name: "Freehold",
  durability: "everything",
  start: () => startAnew(sqliteHome),
};

export const freeholdOnPostgres: Peer = {
  name: "Freehold",
  durability: "everything",
  start: () => startAnew(postgresHome),
};

export const pgBoss: Peer = {
  name: "pg-boss",
  durability: "everything",
  start: () => overServer("pg-boss", databaseOnPostgres),
};

export const graphileWorker: Peer = {
  name: "graphile-worker",
  durability: "everything",
  start: () => overServer("graphile-worker", databaseOnPostgres),
};

/** With `sync_interval: always`. */
export const jetStream: Peer = {
  name: "nats-jetstream",
  durability: "everything",
  start: () => overServer("jetstream", startNats),
};

/** With `appendfsync always`. */
export const bullmqAlways: Peer = {
  name: "bullmq-always",
  durability: "everything",
  start: () => overServer("bullmq", (folder) => startRedis(folder, "always")),
};

/** With `appendfsync everysec`. */
export const bullmqEverysec: Peer = {
  name: "bullmq-everysec",
  durability: "all but the last second",
  start: () => overServer("bullmq", (folder) => startRedis(folder, "everysec")),
};
