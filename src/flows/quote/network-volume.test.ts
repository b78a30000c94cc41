// A quote has the prices in force, whichever replica changed them.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Fixture } from "../../../test/conformance/store/fixture.ts";
import { VirtualClock } from "../../base/clock.ts";
import { builtInCatalog } from "../../config/catalog/read.ts";
import { PricedCatalog } from "../../domain/catalog/prices.ts";
import { networkVolumeRate } from "../../domain/money/rates.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import { lockPricesShared } from "../../store/price-book/lock.ts";
import { addChange } from "../../store/price-book/price-book.ts";
import { quoteVolume } from "./network-volume.ts";

test("a volume is quoted at the price that another replica has just set", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-quote-"));
  const open = async () => openSqlite(path.join(folder, "freehold.db"));
  const { store, now } = await Fixture.set(open, t);
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const catalog = new PricedCatalog(builtInCatalog());
  const billed = new PricedCatalog(builtInCatalog());
  await store.read(lockPricesShared, catalog);
  await store.write(addChange, {
    at: now,
    keyId: "",
    kind: "storage",
    id: "",
    price: "networkVolume",
    from: catalog.storage.networkVolume,
    to: catalog.storage.networkVolume * 3,
    reset: false,
  });
  await store.read(lockPricesShared, billed);
  const dataCenterId = catalog.dataCenters[0]!.id;
  const payer = { accountId: "account", labels: {} };
  const deps = { store, clock: new VirtualClock(now), catalog };
  const { running } = await quoteVolume(deps, { ...payer, size: 100, dataCenterId });
  assert.equal(running, networkVolumeRate(billed, 100));
});
