// The store's conformance suites on PostgreSQL, and concurrent replicas.

import { describe, type TestContext } from "node:test";
import { openPostgres } from "../../../src/store/engine/postgres/open.ts";
import type { Store } from "../../../src/store/engine/store.ts";
import { freshDatabase, missing } from "../../postgres/database.ts";
import { storageRaces } from "./account/storage.ts";
import { storeConformance } from "./conformance.ts";
import { concurrencyRaces } from "./job/concurrency.ts";
import { raceConformance } from "./race.ts";

async function open(t: TestContext): Promise<Store> {
  const store = await openPostgres(await freshDatabase(t), { readConnections: 2 });
  t.after(() => store.close());
  return store;
}

describe("conformance", { skip: missing }, () =>
  storeConformance("PostgreSQL", open, { histories: 25, lives: 200, sorted: true }),
);

async function openTwo(t: TestContext): Promise<Store[]> {
  const url = await freshDatabase(t);
  return Promise.all([1, 2].map(() => openPostgres(url, { readConnections: 1 })));
}

describe("races", { skip: missing }, () => {
  raceConformance(openTwo, 15);
  concurrencyRaces(openTwo, 10);
  storageRaces(openTwo, 10);
});
