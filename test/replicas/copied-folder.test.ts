// A copy of a replica's data folder: it carries the same machine, so it must not be run beside the original.

import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { test } from "node:test";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { seedStore } from "../crash/seed.ts";
import { Replica } from "../faults/scene.ts";
import { freePort } from "../fixtures/free-port.ts";
import { freshDatabase, missing } from "../postgres/database.ts";

test("a copied data folder is refused while its original runs, and the original starts again after a kill", {
  skip: missing,
}, async (t) => {
  const url = await freshDatabase(t);
  const store = await openPostgres(url);
  await seedStore(store, 0);
  const original = new Replica(await freePort(), url);
  const copy = new Replica(await freePort(), url);
  t.after(() => Promise.all([original.clear(), copy.clear()]));
  await original.start();
  rmSync(copy.folder, { recursive: true });
  cpSync(original.folder, copy.folder, { recursive: true });
  await assert.rejects(copy.start(), (error: Error) => {
    assert.match(
      error.message,
      /another replica, http:\S+, runs as machine \S+, so the data folder \S+ is a copy; give this replica an empty data folder/,
    );
    return true;
  });
  await original.kill();
  await original.start(); // its own last heartbeat is young
  await original.kill();
  await copy.start(); // the original is silent: the folder was moved
});
