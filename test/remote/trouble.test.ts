// What goes wrong with a machine by SSH: the connection is cut and comes back, its host key changes, and
// it lets nobody call back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ensureShellImage } from "../../src/drivers/docker/engine.testing.ts";
import { startHouse } from "../house.ts";
import { podsOf, until } from "../pods/stage.ts";
import { added, farMachine, machinesOf, podOn, QUICK, missingRemote as skip } from "./rig.ts";

test("a cut connection: the machine is lost, its Pod shown so, and back without a double", {
  skip,
}, async (t) => {
  const house = await startHouse(t, { drivers: "fake", protocol: QUICK });
  const far = await farMachine(t);
  const image = ensureShellImage(far.engine.host);
  const machine = await added(house, far);
  const { get, online, troubled } = machinesOf(house);
  await until(online, machine);
  const pod = await podOn(house, { imageName: image, dockerStartCmd: ["sleep", "1000"] });
  const containers = () => far.docker("ps", "--quiet", "--no-trunc");
  const before = containers();

  await far.sshd.down();
  assert.match(await until(troubled, machine), /is not reached by SSH: /);
  await until(async () => (await get(machine))?.lostAt, "");
  await until(async () => (await get(machine))?.online === false || null, "");
  const shown = await until(podsOf(house).unreached, pod);
  assert.match(`${shown.desiredStatus} ${shown.lastStatusChange}`, /^RUNNING Machine lost/);
  const log = await house.call("GET", `/v1/pods/${pod}/logs?type=container`);
  assert.ok(log.status === 200 || log.json.code === "worker_unreachable", log.text);
  assert.equal(containers(), before);

  await far.sshd.up();
  await until(online, machine);
  await until(podsOf(house).reached, pod);
  assert.equal(containers(), before);
  assert.equal((await get(machine))!.trouble, undefined);

  // Somebody else's key at the same address.
  await far.sshd.down();
  far.sshd.newHostKey();
  await far.sshd.up();
  const why = await until(async () => {
    const trouble = (await get(machine))?.trouble;
    return trouble?.includes("host key") ? trouble : null;
  }, "");
  assert.match(why, /its host key is ssh-ed25519 SHA256:\S+ and was ssh-ed25519 SHA256:/);
  const trusted = await house.call("PATCH", `/v1/machines/${machine}`, { hostKey: null });
  assert.equal(trusted.status, 200, trusted.text);
  await until(async () => ((await get(machine))?.hostKey ? online(machine) : null), machine);
  await until(podsOf(house).reached, pod);
  assert.equal(containers(), before);

  const forced = await house.call("DELETE", `/v1/machines/${machine}?force=true`);
  assert.equal(forced.status, 204, forced.text);
  assert.equal((await house.call("GET", `/v1/pods/${pod}`)).status, 404);
  // It answers, so nothing is left on it.
  const ours = ["--quiet", "--filter", `label=freehold.installation=${machine}`];
  const left = () =>
    [
      ["ps", "--all"],
      ["volume", "ls"],
      ["network", "ls"],
    ].map((list) => far.docker(...list, ...ours));
  await until(async () => left().join("") === "" || null, "");
});

test("a machine that lets nobody call back gets nothing, and says what to set", {
  skip,
}, async (t) => {
  const house = await startHouse(t, { drivers: "fake", protocol: QUICK });
  const far = await farMachine(t, ["GatewayPorts no"]);
  const machine = await added(house, far);
  const why = await until(machinesOf(house).troubled, machine);
  assert.match(why, /^the machine cannot call back: .*`GatewayPorts clientspecified`/);
  assert.equal((await machinesOf(house).get(machine))!.online, false);
  const { json } = await house.call("POST", "/v1/pods", { computeType: "CPU", imageName: "any" });
  assert.equal(json.code, "not_offered");
});

test("a key that opens nothing, and what can be no machine", { skip }, async (t) => {
  const house = await startHouse(t, { drivers: "fake", protocol: QUICK });
  const far = await farMachine(t);
  const sshd = far.sshd.address("/nowhere.sock").replace("root@", "nobody@");
  const { json } = await house.call("POST", "/v1/machines", { ...far.body, address: sshd });
  const why = await until(machinesOf(house).troubled, json.id);
  assert.match(why, /it does not let nobody in with the key given; add the public key/);
  const again = await house.call("POST", "/v1/machines", { ...far.body, address: sshd });
  assert.equal(again.json.code, "machine_known");
  const wrong = [
    { address: "gpu1" },
    { address: "ssh://gpu1" },
    { address: "tcp://gpu1:2376" },
    { address: "ssh://me@gpu1", virtualGpus: { "NVIDIA A4": 1 } },
    { address: "ssh://me@gpu1", publicIp: "300.1.1.1" },
    { address: "ssh://me@gpu1", declare: { vcpus: 0 } },
  ];
  for (const body of wrong) {
    const { status, text } = await house.call("POST", "/v1/machines", body);
    assert.equal(status, 400, text);
  }
});
