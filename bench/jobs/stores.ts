// What is measured on each store: who beside whom, what else alone, and what the page of it holds.
import path from "node:path";
import { measurePostgres, measureSqlite } from "./alone/alone.ts";
import { acrossRow, aloneTables, largeTable } from "./alone/table.ts";
import type { Figures, Pace } from "./comparison.ts";
import {
  aloneVerdicts,
  comparisonVerdicts,
  postgresAloneVerdicts,
  postgresComparisonVerdicts,
  type Verdict,
} from "./goals.ts";
import { packageVersion, postgresVersion, redisVersion } from "./machine.ts";
import {
  bareFloor,
  bullmqAlways,
  bullmqEverysec,
  edgeFloor,
  freeholdOnPostgres,
  freeholdOnSqlite,
  type Party,
  pgBoss,
} from "./parties.ts";

export interface AlonePart {
  tables: string;
  verdicts: Verdict[];
}

export interface MeasuredStore {
  title: string;
  command: string;
  page: string;
  /** What it runs on, with versions. */
  software(): string[];
  parties(): Party[];
  /** A sentence for each party that cannot be measured here. */
  leftOut(): string[];
  comparisonVerdicts(figures: Figures[]): Verdict[];
  measureAlone(pace: Pace, quick: boolean, progress: (line: string) => void): Promise<AlonePart>;
}

const page = (name: string) => path.join(import.meta.dirname, "..", "results", name);

const sqlite: MeasuredStore = {
  title: "The job queue, measured",
  command: "npm run bench:jobs",
  page: page("jobs.md"),
  software: () => [
    `SQLite ${process.versions.sqlite}`,
    ...["fastify", "bullmq"].map(packageVersion),
    `Redis ${redisVersion() ?? "is not installed"}`,
  ],
  parties: () => [
    bareFloor,
    edgeFloor,
    freeholdOnSqlite,
    ...(redisVersion() ? [bullmqAlways, bullmqEverysec] : []),
  ],
  leftOut: () =>
    redisVersion() ? [] : ["redis-server is not installed here, so BullMQ was left out."],
  comparisonVerdicts,
  async measureAlone(...how) {
    const alone = await measureSqlite(...how);
    const tables = `${aloneTables(alone)}\n\n${largeTable(alone.large)}`;
    return { tables, verdicts: aloneVerdicts(alone) };
  },
};

const postgres: MeasuredStore = {
  title: "The job queue on PostgreSQL, measured",
  command: "npm run bench:jobs -- --store postgres",
  page: page("jobs-postgres.md"),
  software: () => [
    `PostgreSQL ${postgresVersion()}`,
    ...["fastify", "pg", "pg-boss"].map(packageVersion),
  ],
  parties: () => [bareFloor, freeholdOnPostgres, pgBoss],
  leftOut: () => [],
  comparisonVerdicts: postgresComparisonVerdicts,
  async measureAlone(...how) {
    const alone = await measurePostgres(...how);
    const tables = aloneTables(alone, [acrossRow(alone.across)]);
    return { tables, verdicts: postgresAloneVerdicts(alone) };
  },
};

export const stores = { sqlite, postgres };
