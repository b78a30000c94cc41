// Tests of the process driver's default: processes have the rights of the service, so unless
// drivers are chosen they are available to a single account only.

import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { up } from "../../src/app/boot/up.ts";
import { readConfig } from "../../src/config/config.ts";
import { toolsOf } from "../fixtures/service/service.ts";

async function start(t: TestContext, folder: string, drivers?: string) {
  const flags = { listen: "127.0.0.1:0", data: folder, proxyListen: "off", logLevel: "fatal" };
  const engine = { DOCKER_HOST: `unix://${folder}/no-engine` };
  const config = readConfig({ ...flags, ...(drivers && { drivers }) }, engine, folder);
  const running = await up(config, process.env);
  t.after(() => running.stop());
  return { ...toolsOf(running), names: running.service.drivers.map(({ name }) => name), running };
}

test("a second account requires a choice of drivers, and uses the chosen ones", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-test-"));
  const first = await start(t, folder);
  assert.ok(first.names.includes("process"));
  const refused = await first.call("POST", "/v1/accounts", { name: "lab" });
  assert.deepEqual([refused.status, refused.json.code], [400, "not_offered"]);
  assert.match(refused.json.error, /FREEHOLD_DRIVERS/);
  await first.running.stop();

  const chosen = await start(t, folder, "process,simulated");
  assert.equal((await chosen.call("POST", "/v1/accounts", { name: "lab" })).status, 201);
  await chosen.running.stop();

  const unasked = await start(t, folder);
  assert.deepEqual(unasked.names, ["simulated"]);
});
