// The measurements of Freehold alone: idle latency, a long backlog, memory and start; on SQLite also large inputs, on
// PostgreSQL also the way from one replica to another.
import type { Pace } from "../comparison.ts";
import { postgresHome, sqliteHome } from "../host/home.ts";
import { measureAcross } from "./across-replicas.ts";
import { type Laden, measureBacklog } from "./beside-backlog.ts";
import type { IdleLatency } from "./idle-latency.ts";
import { type LargeInputs, measureLargeInputs } from "./large-inputs.ts";

export interface Alone {
  idleJobs: number;
  backlogJobs: number;
  /** The empty queue first. */
  laden: Laden[];
}

export interface AloneOnSqlite extends Alone {
  large: LargeInputs;
}

export interface AloneOnPostgres extends Alone {
  across: IdleLatency;
}

type Progress = (line: string) => void;

export async function measureSqlite(
  pace: Pace,
  short: boolean,
  progress: Progress,
): Promise<AloneOnSqlite> {
  const plan = planFor(pace, short);
  const laden = await measureBacklog(sqliteHome, plan, progress);
  progress("small requests beside large inputs");
  const large = await measureLargeInputs(sqliteHome, short ? 2_000 : 10_000);
  return { idleJobs: plan.idleJobs, backlogJobs: plan.jobs, laden, large };
}

export async function measurePostgres(
  pace: Pace,
  short: boolean,
  progress: Progress,
): Promise<AloneOnPostgres> {
  const plan = planFor(pace, short);
  progress("from one replica to another");
  const across = await measureAcross(plan.idleJobs);
  const laden = await measureBacklog(postgresHome, plan, progress);
  return { idleJobs: plan.idleJobs, backlogJobs: plan.jobs, laden, across };
}

function planFor(pace: Pace, short: boolean) {
  return { ...pace, jobs: short ? 200_000 : 1_000_000, idleJobs: 500 };
}
