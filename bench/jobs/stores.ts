// What the benchmark measures on each store: the peers, the measurements of Freehold alone, and the results page.
import path from "node:path";
import { findPrograms } from "../../test/postgres/server.ts";
import { measurePostgres, measureSqlite } from "./alone/alone.ts";
import { acrossRow, aloneTables, largeTable } from "./alone/table.ts";
import type { Figures, Pace } from "./comparison.ts";
import { packageVersion, postgresVersion, redisVersion } from "./host/machine.ts";
import { natsProblem } from "./host/nats.ts";
import {
  bareFloor,
  bullmqAlways,
  bullmqEverysec,
  edgeFloor,
  freeholdOnPostgres,
  freeholdOnSqlite,
  graphileWorker,
  jetStream,
  type Peer,
  pgBoss,
} from "./peers.ts";
import {
  aloneVerdicts,
  comparisonVerdicts,
  postgresAloneVerdicts,
  postgresComparisonVerdicts,
  type Verdict,
} from "./report/goals.ts";

export interface AlonePart {
  tables: string;
  verdicts: Verdict[];
}

export interface MeasuredStore {
  title: string;
  command: string;
  page: string;
  /** The software it runs on, with versions. */
  software(): string[];
  peers(): Peer[];
  /** One sentence per peer that cannot be measured here. */
  missingPeers(): string[];
  comparisonVerdicts(figures: Figures[]): Verdict[];
  measureAlone(pace: Pace, short: boolean, progress: (line: string) => void): Promise<AlonePart>;
}

const page = (name: string) => path.join(import.meta.dirname, "..", "results", name);

const sqlite: MeasuredStore = {
  title: "Job queue benchmark",
  command: "npm run bench:jobs",
  page: page("jobs.md"),
  software: () => [
    `SQLite ${process.versions.sqlite}`,
    ...["fastify", "bullmq", "@nats-io/jetstream", "pg-boss", "graphile-worker"].map(
      packageVersion,
    ),
    `Redis ${redisVersion() ?? "is not installed"}`,
    ...(findPrograms() ? [`PostgreSQL ${postgresVersion()}`] : []),
  ],
  peers: () => [
    bareFloor,
    edgeFloor,
    freeholdOnSqlite,
    ...(redisVersion() ? [bullmqAlways, bullmqEverysec] : []),
    ...(natsProblem() === null ? [jetStream] : []),
    ...(findPrograms() ? [pgBoss, graphileWorker] : []),
  ],
  missingPeers: () => [
    ...(redisVersion() ? [] : ["BullMQ was not measured: redis-server is not installed."]),
    ...(natsProblem() === null ? [] : [`NATS JetStream was not measured: ${natsProblem()}.`]),
    ...(findPrograms()
      ? []
      : ["pg-boss and graphile-worker were not measured: PostgreSQL is not installed."]),
  ],
  comparisonVerdicts,
  async measureAlone(...options) {
    const alone = await measureSqlite(...options);
    const tables = `${aloneTables(alone)}\n\n${largeTable(alone.large)}`;
    return { tables, verdicts: aloneVerdicts(alone) };
  },
};

const postgres: MeasuredStore = {
  title: "Job queue benchmark on PostgreSQL",
  command: "npm run bench:jobs -- --store postgres",
  page: page("jobs-postgres.md"),
  software: () => [
    `PostgreSQL ${postgresVersion()}`,
    ...["fastify", "pg", "pg-boss", "graphile-worker"].map(packageVersion),
  ],
  peers: () => [bareFloor, freeholdOnPostgres, pgBoss, graphileWorker],
  missingPeers: () => [],
  comparisonVerdicts: postgresComparisonVerdicts,
  async measureAlone(...options) {
    const alone = await measurePostgres(...options);
    const tables = aloneTables(alone, [acrossRow(alone.across)]);
    return { tables, verdicts: postgresAloneVerdicts(alone) };
  },
};

export const stores = { sqlite, postgres };
export type StoreName = keyof typeof stores;
