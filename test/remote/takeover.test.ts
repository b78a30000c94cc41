// Two servers on one database and a machine by SSH: one attends it, both show what runs there, and when
// the one dies the other goes on, with nothing doubled.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ensureShellImage } from "../../src/drivers/docker/engine.testing.ts";
import { podsOf, until } from "../pods/stage.ts";
import { missing } from "../postgres/database.ts";
import { startPair } from "../replicas/pair.ts";
import { added, farMachine, machinesOf, missingRemote, podOn, QUICK } from "./rig.ts";

test("the replica that attends a machine goes, and the other attends it", {
  skip: missing || missingRemote,
}, async (t) => {
  const { house, a, b } = await startPair(t, {
    drivers: "fake",
    protocol: { ...QUICK, beatMs: 1_000 },
  });
  const far = await farMachine(t);
  const image = ensureShellImage(far.engine.host);
  const machine = await added(a, far);
  await until(machinesOf(a).online, machine);
  const script = "echo hello from afar; exec sleep 1000";
  const shell = { dockerEntrypoint: ["bash", "-c"], dockerStartCmd: [script] };
  const pod = await podOn(a, { ...shell, imageName: image });
  for (const each of [a, b]) {
    await until(podsOf(each).reached, pod);
    await until(async () => {
      const log = await each.call("GET", `/v1/pods/${pod}/logs?type=container`);
      return log.text.includes("hello from afar") || null;
    }, "");
  }
  const containers = () => far.docker("ps", "--all", "--quiet", "--no-trunc");
  const before = containers();

  const attends = house.replicas.findIndex(({ house: { attended } }) => attended.at(machine));
  await house.replicas[attends]!.stop();
  const other = [b, a][attends]!;
  await until(async () => house.replicas[1 - attends]!.house.attended.at(machine), "");
  await until(machinesOf(other).online, machine);
  await until(podsOf(other).reached, pod);
  assert.equal(containers(), before);
  await other.call("DELETE", `/v1/pods/${pod}`);
  await until(async () => containers() === "" || null, "");
});
