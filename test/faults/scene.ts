// Replicas as processes on one database behind a load balancer, under the load of clients and
// workers that record what was acknowledged; the test injects failures.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { postgresBooks } from "../crash/books.ts";
import { readOn, type Submissions, submitAll } from "../crash/clients.ts";
import { Connection } from "../crash/connection.ts";
import { type Ledger, newLedger } from "../crash/ledger.ts";
import { settled } from "../crash/run.ts";
import { type Seeded, seedStore } from "../crash/seed.ts";
import { judge, type Verdict } from "../crash/verdict.ts";
import { play } from "../crash/workers.ts";
import { startBalancer } from "../fixtures/balancer.ts";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import { until } from "../fixtures/until.ts";

export interface Scene {
  url: string;
  seeded: Seeded;
  connection: Connection;
  replicas: Replica[];
}

/** One replica's folder and port, the same for all of its processes. */
export class Replica {
  readonly folder = mkdtempSync(path.join(tmpdir(), "freehold-replica-"));
  service: Service | null = null;
  /** The logs of all of its processes. */
  said = "";
  readonly #port: number;
  readonly #url: string;
  readonly #env: Record<string, string>;

  constructor(port: number, url: string, env: Record<string, string> = {}) {
    this.#port = port;
    this.#url = url;
    this.#env = env;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    this.service = new Service({
      dataFolder: this.folder,
      port: this.#port,
      flags: ["--drivers", "simulated", "--log-level", "error"],
      env: {
        FREEHOLD_DATABASE_URL: this.#url,
        FREEHOLD_SECRET_KEY: "5e".repeat(32),
        FREEHOLD_PROTOCOL: JSON.stringify(protocol),
        ...this.#env,
      },
    });
    if (!(await this.service.ready())) throw new Error(`no start: ${this.service.stderr}`);
  }

  async kill(): Promise<void> {
    await this.service?.kill();
    this.said += this.service?.stderr ?? "";
    this.service = null;
  }

  /** Stops the process where it stands, and its clocks go on. */
  freeze(): void {
    this.service!.signal("SIGSTOP");
  }

  thaw(): void {
    this.service!.signal("SIGCONT");
  }

  async clear(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Short times, so that a loss is detected within seconds. */
const protocol = {
  leaseMs: 4_000,
  pollHoldMs: 1_000,
  heartbeatMs: 200,
  machineLostMs: 3_000,
  keepSyncMs: 3_600_000,
  keepSyncWaitMs: 3_600_000,
  keepAsyncMs: 3_600_000,
};

export interface Outcome {
  ledger: Ledger;
  verdict: Verdict;
  /** The logs of the replicas. */
  said: string;
  /** The loops of all replicas. */
  loopCount: number;
}

const CLIENTS = 12;
const WORKERS = 8;

/** Submits `jobs` spread over the failure and the recovery, the last of them after it, and verifies what was acknowledged. */
export async function underLoad(
  t: TestContext,
  {
    url,
    urls = [url, url],
    jobs,
    trouble: makeTrouble,
  }: {
    url: string;
    /** The database as each replica reaches it. */
    urls?: string[];
    jobs: number;
    trouble: (scene: Scene) => Promise<void>;
  },
): Promise<Outcome> {
  const seeded = await seedStore(await openPostgres(url), WORKERS);
  const replicas = await Promise.all(urls.map(async (each) => new Replica(await freePort(), each)));
  t.after(async () => {
    for (const each of replicas) await each.clear();
  });
  for (const each of replicas) await each.start();
  const balancer = await startBalancer(() => replicas.map(({ origin }) => origin));
  t.after(() => balancer.close());
  const connection = new Connection(Number(new URL(balancer.origin).port), "through a balancer");
  const ledger = newLedger();
  const submissions: Submissions = { ...seeded, jobs, allowed: jobs / 4, next: 0 };
  const reader = readOn(connection, ledger, submissions);
  const workers = seeded.workers.map((worker) => play(connection, ledger, worker));
  const clients = Array.from({ length: CLIENTS }, () => submitAll(connection, ledger, submissions));
  await until(() => ledger.acknowledged.size >= jobs / 8);
  const trouble = makeTrouble({ url, seeded, connection, replicas });
  let isOver = false;
  const grow = async () => {
    while (!isOver) {
      submissions.allowed = Math.min((jobs * 7) / 8, submissions.allowed + jobs / 100);
      await pauseMs(50);
    }
  };
  await Promise.all([grow(), trouble.finally(() => (isOver = true))]);
  submissions.allowed = jobs;
  await Promise.all(clients);
  await settled(connection, seeded);
  connection.over = true;
  await Promise.all([reader, ...workers]);
  const loopCount = replicas.length * (await loopNames(replicas)).size;
  for (const each of replicas) await each.kill();
  const verdict = await judge(await postgresBooks(url), ledger, jobs);
  return { ledger, verdict, said: replicas.map(({ said }) => said).join(""), loopCount };
}

/** One replica at a time runs a shared loop, and counts it. */
async function loopNames(replicas: Replica[]): Promise<Set<string>> {
  const names = new Set<string>();
  for (const { origin } of replicas) {
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    for (const [, name] of metrics.matchAll(/^freehold_loop_turns_total\{loop="(.+)"\}/gm))
      names.add(name!);
  }
  return names;
}
