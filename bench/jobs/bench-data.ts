// The data of the load: a key, an endpoint, and workers that the load generator acts for. Their driver does not exist
// and their idle timeout is an hour, so no loop touches them.

import { systemClock } from "../../src/base/clock.ts";
import { hashSecret, randomIds } from "../../src/base/ids.ts";
import { defaultEndpoint } from "../../src/domain/endpoint/endpoint.ts";
import { workloadOf } from "../../src/domain/endpoint/release.ts";
import { defaultTemplate } from "../../src/domain/template/template.ts";
import { ensureFirstAccount, ensureKey } from "../../src/flows/account/first-account.ts";
import { insertEndpoint } from "../../src/store/endpoint/endpoint.ts";
import type { Store } from "../../src/store/engine/store.ts";
import { insertTemplate } from "../../src/store/template/template.ts";
import { insertWorker } from "../../src/transactions/worker/insert.ts";
import { markStarted } from "../../src/transactions/worker/observe.ts";
import {
  insertSimulatedMachine,
  SIMULATED_MACHINE,
} from "../../test/fixtures/simulated-machine.ts";
import { benchEndpoint, benchKey, benchWorkers } from "./bench-key.ts";

export async function seedBench(store: Store): Promise<void> {
  const now = systemClock.now();
  const deps = { store, clock: systemClock, ids: randomIds };
  const { account } = await ensureFirstAccount(deps);
  await ensureKey(deps, account.id, "bench", benchKey);
  const spec = { ...defaultTemplate("bench"), isServerless: true };
  const template = { id: "bench00000", accountId: account.id, name: "bench", createdAt: now };
  await store.write(insertTemplate, { ...template, labels: {}, spec });
  const endpoint = defaultEndpoint(benchEndpoint, account.id, template.id, now);
  const workersMax = benchWorkers.length;
  await store.write(
    insertEndpoint,
    { ...endpoint, spec: { ...endpoint.spec, workersMax, idleTimeout: 3_600 } },
    {
      endpointId: benchEndpoint,
      version: 1,
      workload: workloadOf(spec),
      reason: "bench",
      createdAt: now,
    },
  );
  await insertSimulatedMachine(store);
  for (const { id, key } of benchWorkers) {
    const worker = {
      id,
      endpointId: benchEndpoint,
      version: 1,
      machine: SIMULATED_MACHINE,
      driver: "played",
    };
    await store.write(insertWorker, worker, hashSecret(key), now);
    await store.write(markStarted, id, now);
  }
}
