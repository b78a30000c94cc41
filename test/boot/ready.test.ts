// Who is told that the service is ready finds its machine there: not a moment before.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import pg from "pg";
import { freePort } from "../free-port.ts";
import { freshDatabase, missing } from "../postgres/database.ts";
import { Service } from "../service.ts";
import { clientOf, localKey } from "./client.ts";

test("a service whose machine is not known yet is not ready", { skip: missing }, async (t) => {
  const url = await freshDatabase(t);
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-ready-"));
  t.after(() => rmSync(dataFolder, { recursive: true, force: true }));
  const blocker = new pg.Client(url);
  await blocker.connect();
  t.after(() => blocker.end());
  await blocker.query("begin; lock table replica in exclusive mode");
  const flags = ["--drivers", "fake", "--database-url", url];
  const service = new Service({ dataFolder, port: await freePort(), flags });
  t.after(() => service.kill());
  const ready = async () => (await fetch(`${service.origin}/readyz`).catch(() => null))?.json();
  let said = await ready();
  while (!said) said = await ready();
  assert.equal((said as { code: string }).code, "starting");
  await blocker.query("rollback");
  assert.ok(await service.ready(), service.stderr);
  const { json } = await clientOf(service, localKey(dataFolder))("GET", "/v1/machines");
  assert.equal(json.length, 1);
});
