// PostgreSQL keeps the laws of the store.

import { describe, type TestContext } from "node:test";
import { freshDatabase, missing } from "../../../test/postgres/database.ts";
import { storeLaws } from "../laws/laws.ts";
import { raceLaws } from "../laws/race-laws.ts";
import type { Store } from "../store.ts";
import { openPostgres } from "./postgres/open.ts";

async function open(t: TestContext): Promise<Store> {
  const store = await openPostgres(await freshDatabase(t), { readConnections: 2 });
  t.after(() => store.close());
  return store;
}

describe("the laws", { skip: missing }, () =>
  storeLaws("PostgreSQL", open, { histories: 25, lives: 200 }),
);

describe("races", { skip: missing }, () =>
  raceLaws(async (t) => {
    const url = await freshDatabase(t);
    const stores = await Promise.all([1, 2].map(() => openPostgres(url, { readConnections: 1 })));
    return stores;
  }, 15),
);
