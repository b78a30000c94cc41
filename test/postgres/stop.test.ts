// Stop of a service whose database is unavailable.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { missing, ownServer } from "./database.ts";
import { killServer, urlOf } from "./server.ts";

test("SIGTERM while the database is unavailable", { skip: missing }, async (t) => {
  const folder = await ownServer(t);
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-stop-"));
  t.after(() => rmSync(dataFolder, { recursive: true, force: true }));
  const flags = ["--drivers", "process,simulated", "--database-url", urlOf(folder, "postgres")];
  const service = new Service({ dataFolder, port: await freePort(), flags });
  t.after(() => service.kill());
  assert.ok(await service.ready());
  await killServer(folder);
  service.signal("SIGTERM");
  assert.deepEqual(await service.ended, { code: 0, signal: null });
});
