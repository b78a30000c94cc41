// Tests that the service reports ready only once its machine is registered.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import pg from "pg";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { until } from "../fixtures/until.ts";
import { freshDatabase, missing } from "../postgres/database.ts";
import { clientOf, localKey } from "./client.ts";

test("a service is not ready before its machine is registered", { skip: missing }, async (t) => {
  const url = await freshDatabase(t);
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-ready-"));
  t.after(() => rmSync(dataFolder, { recursive: true, force: true }));
  const blocker = new pg.Client(url);
  await blocker.connect();
  t.after(() => blocker.end());
  await blocker.query("begin; lock table replica in exclusive mode");
  const flags = ["--drivers", "simulated", "--database-url", url];
  const service = new Service({ dataFolder, port: await freePort(), flags });
  t.after(() => service.kill());
  const ready = async () => (await fetch(`${service.origin}/readyz`).catch(() => null))?.json();
  const said = (await until(ready)) as { code: string; error: string };
  assert.equal(said.code, "starting");
  assert.match(said.error, /^The service is starting: it registers its machine; try again/);
  await blocker.query("rollback");
  assert.ok(await service.ready(), service.stderr);
  const { json } = await clientOf(service, localKey(dataFolder))("GET", "/v1/machines");
  assert.equal(json.length, 1);
});
