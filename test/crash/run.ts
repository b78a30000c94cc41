// One run: the service is killed repeatedly while clients and workers continue.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import { sqliteBooks } from "./books.ts";
import { readOn, type Submissions, submitAll } from "./clients.ts";
import { Connection } from "./connection.ts";
import { auditKeys } from "./keys.ts";
import { type Ledger, newLedger } from "./ledger.ts";
import { type Seeded, seed } from "./seed.ts";
import { judge, type Verdict } from "./verdict.ts";
import { play } from "./workers.ts";

export interface Run {
  kills: number;
  jobs: number;
}

export interface Outcome {
  /** Kills during the start of the service, and while it served. */
  kills: { starting: number; serving: number };
  tookMs: number;
  ledger: Ledger;
  verdict: Verdict;
}

const CLIENTS = 12;
const WORKERS = 8;
/** A serving process is killed at a random instant within this time. */
const LIFE_MS = 350;
/** One kill in this many happens during the start. */
const EARLY_ONE_IN = 8;

/** Short times, so that a loss is detected within seconds. */
const protocol = {
  leaseMs: 1_500,
  pollHoldMs: 1_000,
  keepSyncMs: 3_600_000,
  keepSyncWaitMs: 3_600_000,
  keepAsyncMs: 3_600_000,
};

export async function crashRun(run: Run): Promise<Outcome> {
  const startedAt = Date.now();
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-crash-"));
  const port = await freePort();
  const seeded = await seed(dataFolder, WORKERS);
  const connection = new Connection(port);
  const ledger = newLedger();
  const submissions: Submissions = { ...seeded, jobs: run.jobs, allowed: 0, next: 0 };
  const reader = readOn(connection, ledger, submissions);
  const workers = seeded.workers.map((worker) => play(connection, ledger, worker));
  const clients = Array.from({ length: CLIENTS }, () => submitAll(connection, ledger, submissions));
  const start = () => new Service({ dataFolder, port, ...calm });
  const audit = () => auditKeys(sqliteBooks(dataFolder), ledger);
  const kills = await killOver(start, run, submissions, ledger, audit);
  submissions.allowed = run.jobs;
  const last = start();
  await last.ready();
  await Promise.all(clients);
  await settled(connection, seeded);
  connection.over = true;
  await Promise.all([reader, ...workers]);
  await last.kill();
  const verdict = await judge(sqliteBooks(dataFolder), ledger, run.jobs);
  rmSync(dataFolder, { recursive: true });
  return { kills, tookMs: Date.now() - startedAt, ledger, verdict };
}

const calm = {
  flags: ["--drivers", "simulated", "--log-level", "error"],
  env: { FREEHOLD_PROTOCOL: JSON.stringify(protocol) },
};

async function killOver(
  start: () => Service,
  run: Run,
  submissions: Submissions,
  ledger: Ledger,
  audit: () => Promise<void>,
): Promise<Outcome["kills"]> {
  const kills = { starting: 0, serving: 0 };
  for (let n = 0; n < run.kills; n++) {
    submissions.allowed = Math.ceil(((n + 1) * run.jobs) / (run.kills + 1));
    const service = start();
    if (n % EARLY_ONE_IN === EARLY_ONE_IN - 1) {
      await pauseMs(Math.random() * 400);
      kills.starting++;
    } else {
      if (!(await service.ready())) throw new Error(`it did not start: ${service.stderr}`);
      await pauseMs(Math.random() * LIFE_MS);
      kills.serving++;
    }
    await service.kill();
    await audit();
    // A kill alone logs no error, so any logged line is part of the verdict.
    if (service.stderr !== "") ledger.wrongs.push(`the service said: ${service.stderr}`);
  }
  return kills;
}

/** Waits until no job is queued or in progress. */
export async function settled(connection: Connection, { endpointId, key }: Seeded): Promise<void> {
  for (;;) {
    const ask = { method: "GET" as const, path: `/v2/${endpointId}/health`, key };
    const answer = await connection.insist(ask);
    const { jobs } = JSON.parse(answer!.text) as { jobs: { inQueue: number; inProgress: number } };
    if (jobs.inQueue === 0 && jobs.inProgress === 0) return;
    await pauseMs(50);
  }
}
