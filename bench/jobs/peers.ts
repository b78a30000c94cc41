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
import { startPeer } from "./host/peer-process.ts";
import { postgres } from "./host/postgres.ts";
import { type SyncPolicy, startRedis } from "./host/redis.ts";
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
  /** What it is, for readers of the code. */
  description: string;
  start(): Promise<StartedPeer>;
}

const script = (name: string) => path.join(import.meta.dirname, "peers", name);

async function plain(name: string, workers = workersWithOneKey): Promise<StartedPeer> {
  const { pid, port, stop } = await startPeer(script(name));
  const processes = { server: [pid] };
  return { port, key: benchKey, endpointId: benchEndpoint, workers, processes, stop };
}

async function bullmq(sync: SyncPolicy): Promise<StartedPeer> {
  const folder = newFolder();
  const redis = await startRedis(folder, sync);
  const server = await startPeer(script("bullmq.ts"), { BENCH_REDIS_PORT: String(redis.port) });
  return {
    port: server.port,
    key: benchKey,
    endpointId: benchEndpoint,
    workers: workersWithOneKey,
    processes: { server: [server.pid], redis: [redis.pid] },
    stop: async () => {
      await server.stop();
      await redis.stop();
      dropFolder(folder);
    },
  };
}

async function pgBossOnPostgres(): Promise<StartedPeer> {
  const database = await postgres();
  const url = await database.newDatabase();
  const server = await startPeer(script("pg-boss.ts"), { BENCH_DATABASE_URL: url });
  return {
    port: server.port,
    key: benchKey,
    endpointId: benchEndpoint,
    workers: workersWithOneKey,
    processes: { server: [server.pid], postgres: [database.pid] },
    stop: async () => {
      await server.stop();
      await database.dropDatabase(url);
    },
  };
}

/** Not a peer: the limit of the load generator itself. */
export const ceiling: Peer = {
  name: "ceiling",
  description: "canned answers over bare sockets",
  start: () => plain("raw-server.ts"),
};

export const bareFloor: Peer = {
  name: "bare Fastify",
  description: "the same routes on plain Fastify over maps in memory, nothing stored",
  start: () => plain("floor.ts"),
};

export const edgeFloor: Peer = {
  name: "Freehold's edge",
  description: "Freehold's own server and flows over maps in memory, nothing stored",
  start: () => plain("edge-floor.ts", benchWorkers),
};

export const freeholdOnSqlite: Peer = {
  name: "Freehold",
  description: "Freehold on SQLite with synchronous=FULL",
  start: () => startAnew(sqliteHome),
};

export const freeholdOnPostgres: Peer = {
  name: "Freehold",
  description: "Freehold on PostgreSQL with fsync and synchronous_commit on",
  start: () => startAnew(postgresHome),
};

export const pgBoss: Peer = {
  name: "pg-boss",
  description: "pg-boss behind the same routes, on the same PostgreSQL server",
  start: pgBossOnPostgres,
};

export const bullmqAlways: Peer = {
  name: "bullmq-always",
  description: "BullMQ on Redis behind the same routes, appendfsync always",
  start: () => bullmq("always"),
};

export const bullmqEverysec: Peer = {
  name: "bullmq-everysec",
  description: "BullMQ on Redis behind the same routes, appendfsync everysec",
  start: () => bullmq("everysec"),
};
