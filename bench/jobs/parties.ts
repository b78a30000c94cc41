// Who is measured: every party is a server process started fresh, in an empty directory, and ended
// again, so that no round inherits another's heap or files.
import path from "node:path";
import {
  type BenchWorker,
  benchEndpoint,
  benchKey,
  benchWorkers,
  workersWithOneKey,
} from "./bench-key.ts";
import { startAnew } from "./freehold.ts";
import { dropFolder, newFolder, postgresHome, sqliteHome } from "./home.ts";
import { startParty } from "./party-process.ts";
import { postgres } from "./postgres.ts";
import { type SyncPolicy, startRedis } from "./redis.ts";

export interface StartedParty {
  port: number;
  key: string;
  endpointId: string;
  workers: BenchWorker[];
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

async function plain(name: string, workers = workersWithOneKey): Promise<StartedParty> {
  const { pid, port, stop } = await startParty(script(name));
  const processes = { server: [pid] };
  return { port, key: benchKey, endpointId: benchEndpoint, workers, processes, stop };
}

async function bullmq(sync: SyncPolicy): Promise<StartedParty> {
  const directory = newFolder();
  const redis = await startRedis(directory, sync);
  const server = await startParty(script("bullmq.ts"), { BENCH_REDIS_PORT: String(redis.port) });
  return {
    port: server.port,
    key: benchKey,
    endpointId: benchEndpoint,
    workers: workersWithOneKey,
    processes: { server: [server.pid], redis: [redis.pid] },
    stop: async () => {
      await server.stop();
      await redis.stop();
      dropFolder(directory);
    },
  };
}

async function pgBossOnPostgres(): Promise<StartedParty> {
  const database = await postgres();
  const url = await database.newDatabase();
  const server = await startParty(script("pg-boss.ts"), { BENCH_DATABASE_URL: url });
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

/** Not measured against, but shown: where the load generator itself tops out. */
export const ceiling: Party = {
  name: "ceiling",
  is: "canned answers over bare sockets: what the load generator itself can do",
  start: () => plain("raw-server.ts"),
};

export const bareFloor: Party = {
  name: "bare Fastify",
  is: "the same routes on plain Fastify over maps in memory, nothing stored",
  start: () => plain("floor.ts"),
};

export const edgeFloor: Party = {
  name: "Freehold's edge",
  is: "Freehold's own server and flows over maps in memory, nothing stored",
  start: () => plain("edge-floor.ts", benchWorkers),
};

export const freeholdOnSqlite: Party = {
  name: "Freehold",
  is: "Freehold on SQLite with synchronous=FULL",
  start: () => startAnew(sqliteHome),
};

export const freeholdOnPostgres: Party = {
  name: "Freehold",
  is: "Freehold on PostgreSQL with fsync and synchronous_commit on",
  start: () => startAnew(postgresHome),
};

export const pgBoss: Party = {
  name: "pg-boss",
  is: "pg-boss behind the same routes, on the same PostgreSQL server",
  start: pgBossOnPostgres,
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
