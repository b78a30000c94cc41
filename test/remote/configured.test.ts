// Machines that the configuration names: there after a start, changed by the next one, and never taken
// away by it.

import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import type { Machine } from "../../src/contract/rest-v1/machine.ts";
import { remoteMachines } from "../../src/store/replica/remote-machine.ts";
import { startHouse, type TestHouse } from "../house.ts";

// Nobody listens there, and nobody needs to.
const [first, second] = ["ssh://me@127.0.0.1:1", "ssh://me@127.0.0.1:2"];

const remotes = async (house: TestHouse) => {
  const all = (await house.call("GET", "/v1/machines")).json as Machine[];
  const there = all.filter(({ address }) => address !== undefined);
  return new Map(there.map((each) => [each.address!, each]));
};

test("a machine of the configuration is added once, and is what the configuration says", async (t) => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-test-"));
  const start = (...machines: object[]) =>
    startHouse(t, { dataFolder, env: { FREEHOLD_MACHINES: JSON.stringify(machines) } });
  const one = await start({ address: first, name: "one", identity: "-----BEGIN KEY-----" });
  const made = (await remotes(one)).get(first)!;
  assert.equal(made.name, "one");
  const [before] = await one.house.store.read(remoteMachines);
  assert.ok(!before!.secrets.includes("KEY"));
  await one.call("POST", "/v1/machines", { address: second, name: "by hand" });
  await one.stop();

  const same = await start({ address: first, name: "one", identity: "-----BEGIN KEY-----" });
  const [after] = await same.house.store.read(remoteMachines);
  // Nothing was sealed anew, so whoever attends it need not begin again.
  assert.equal(after!.secrets, before!.secrets);
  await same.stop();

  const two = await start({ address: first, name: "new" }, { address: second });
  const found = await remotes(two);
  assert.deepEqual([found.get(first)!.id, found.get(first)!.name], [made.id, "new"]);
  assert.equal(found.get(second)!.name, undefined);
  await two.stop();

  const none = await start();
  assert.deepEqual([...(await remotes(none)).keys()].sort(), [first, second]);
});
