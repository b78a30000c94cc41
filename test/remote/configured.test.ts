// Tests of machines in the configuration: a start adds or updates them and never removes one.

import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import type { Machine } from "../../src/contract/rest-v1/machine/machine.ts";
import { remoteMachines } from "../../src/store/remote-machine/remote-machine.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";

// Nothing listens there, and nothing needs to.
const [first, second] = ["ssh://me@127.0.0.1:1", "ssh://me@127.0.0.1:2"];

const remotes = async (service: TestService) => {
  const all = (await service.call("GET", "/v1/machines")).json as Machine[];
  const there = all.filter(({ address }) => address !== undefined);
  return new Map(there.map((each) => [each.address!, each]));
};

test("a machine of the configuration is added once and updated at each start", async (t) => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-test-"));
  const start = (...machines: object[]) =>
    startService(t, { dataFolder, env: { FREEHOLD_MACHINES: JSON.stringify(machines) } });
  const one = await start({ address: first, name: "one", identity: "-----BEGIN KEY-----" });
  const machine = (await remotes(one)).get(first)!;
  assert.equal(machine.name, "one");
  const [before] = await one.service.store.read(remoteMachines);
  assert.ok(!before!.secrets.includes("KEY"));
  await one.call("POST", "/v1/machines", { address: second, name: "by hand" });
  await one.stop();

  const same = await start({ address: first, name: "one", identity: "-----BEGIN KEY-----" });
  const [after] = await same.service.store.read(remoteMachines);
  // Nothing was sealed anew, so the replica that manages it does not restart.
  assert.equal(after!.secrets, before!.secrets);
  await same.stop();

  const two = await start({ address: first, name: "new" }, { address: second });
  const found = await remotes(two);
  assert.deepEqual([found.get(first)!.id, found.get(first)!.name], [machine.id, "new"]);
  assert.equal(found.get(second)!.name, undefined);
  await two.stop();

  const none = await start();
  assert.deepEqual([...(await remotes(none)).keys()].sort(), [first, second]);
});
