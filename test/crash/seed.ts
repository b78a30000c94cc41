// A data folder with an account, an endpoint and simulated workers, created before the service
// starts on it for the first time.

import { mkdirSync } from "node:fs";
import path from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { hashSecret, randomIds } from "../../src/base/ids.ts";
import { defaultEndpoint } from "../../src/domain/endpoint/endpoint.ts";
import { workloadOf } from "../../src/domain/endpoint/release.ts";
import { defaultTemplate } from "../../src/domain/template/template.ts";
import { ensureFirstAccount, ensureKey } from "../../src/flows/account/first-account.ts";
import { insertEndpoint } from "../../src/store/endpoint/endpoint.ts";
import { openSqlite } from "../../src/store/engine/sqlite/open.ts";
import type { Store } from "../../src/store/engine/store.ts";
import { insertTemplate } from "../../src/store/template/template.ts";
import { insertWorker } from "../../src/transactions/worker/insert.ts";
import { markStarted } from "../../src/transactions/worker/observe.ts";
import { insertSimulatedMachine, SIMULATED_MACHINE } from "../fixtures/simulated-machine.ts";
import type { SimulatedWorker } from "./workers.ts";

export interface Seeded {
  /** A key with full access to the account. */
  key: string;
  endpointId: string;
  workers: SimulatedWorker[];
}

export function databaseOf(dataFolder: string): string {
  return path.join(dataFolder, "freehold.db");
}

export async function seed(dataFolder: string, workerCount: number): Promise<Seeded> {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  return seedStore(openSqlite(databaseOf(dataFolder)), workerCount);
}

/** The same on any unused store; it is closed afterwards. */
export async function seedStore(store: Store, workerCount: number): Promise<Seeded> {
  const now = systemClock.now();
  const key = randomIds.secret("fh_");
  const { account } = await ensureFirstAccount({ store, clock: systemClock, ids: randomIds });
  await ensureKey({ store, clock: systemClock, ids: randomIds }, account.id, "test", key);
  const endpointId = randomIds.short(14);
  const template = { id: randomIds.short(10), accountId: account.id, name: "test", createdAt: now };
  const spec = { ...defaultTemplate("test"), isServerless: true };
  await store.write(insertTemplate, { ...template, labels: {}, spec });
  const endpoint = defaultEndpoint(endpointId, account.id, template.id, now);
  const many = { workersMin: workerCount, workersMax: 100, idleTimeout: 3_600 };
  await store.write(
    insertEndpoint,
    { ...endpoint, spec: { ...endpoint.spec, ...many } },
    { endpointId, version: 1, workload: workloadOf(spec), reason: "test", createdAt: now },
  );
  await insertSimulatedMachine(store);
  const workers: SimulatedWorker[] = [];
  for (let n = 0; n < workerCount; n++) {
    const worker = { id: randomIds.short(14), key: randomIds.secret("fhw_"), endpointId };
    const row = {
      id: worker.id,
      endpointId: endpointId,
      version: 1,
      machine: SIMULATED_MACHINE,
      driver: "protocol",
    };
    await store.write(insertWorker, row, hashSecret(worker.key), now);
    await store.write(markStarted, worker.id, now);
    workers.push(worker);
  }
  await store.close();
  return { key, endpointId, workers };
}
