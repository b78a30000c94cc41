// Tests of failures of a machine over SSH: a broken connection, a changed host key, and no callback
// connection.

import assert from "node:assert/strict";
import { test } from "node:test";
import { freehold } from "../cli/command.ts";
import { ensureShellImage } from "../fixtures/docker/engine.ts";
import { freePort } from "../fixtures/free-port.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import {
  added,
  farMachine,
  machinesOf,
  podOn,
  QUICK,
  QUICK_LOSS,
  missingRemote as skip,
} from "./rig.ts";

/** What `freehold machine ...` prints. */
async function machineCommand({ dataFolder }: { dataFolder: string }, ...args: string[]) {
  const { code, stdout, stderr } = await freehold(["machine", ...args, "--data", dataFolder]);
  assert.equal(code, 0, stderr);
  return stdout;
}

test("after a broken connection the machine is unreachable, then its Pod is back without a second start", {
  skip,
}, async (t) => {
  const service = await startService(t, { drivers: "simulated", protocol: QUICK_LOSS });
  const far = await farMachine(t);
  const image = ensureShellImage(far.engine.host);
  const machine = await added(service, far);
  const { get, online, troubled } = machinesOf(service);
  await until(online, machine);
  const pod = await podOn(service, { imageName: image, dockerStartCmd: ["sleep", "1000"] });
  const containers = () => far.docker("ps", "--quiet", "--no-trunc");
  const before = containers();

  await far.sshd.down();
  // A request that was under way may end first, with the engine's connection error.
  await until(async () => (await troubled(machine))?.includes("is unreachable by SSH: "));
  await until(async () => (await get(machine))?.lostAt, "");
  await until(async () => (await get(machine))?.online === false || null, "");
  const shown = await until(podsOf(service).unreached, pod);
  assert.match(`${shown.desiredStatus} ${shown.lastStatusChange}`, /^RUNNING Machine lost/);
  const log = await service.call("GET", `/v1/pods/${pod}/logs?type=container`);
  assert.ok(log.status === 200 || log.json.code === "worker_unreachable", log.text);
  assert.equal(containers(), before);

  await far.sshd.up();
  await until(online, machine);
  await until(podsOf(service).reached, pod);
  assert.equal(containers(), before);
  assert.equal((await get(machine))!.trouble, undefined);

  // Another host key at the same address.
  await far.sshd.down();
  far.sshd.newHostKey();
  await far.sshd.up();
  const why = await until(async () => {
    const trouble = (await get(machine))?.trouble;
    return trouble?.includes("host key") ? trouble : null;
  }, "");
  assert.match(why, /its host key is ssh-ed25519 SHA256:\S+ and was ssh-ed25519 SHA256:/);
  const trusted = await service.call("PATCH", `/v1/machines/${machine}`, { hostKey: null });
  assert.equal(trusted.status, 200, trusted.text);
  await until(async () => ((await get(machine))?.hostKey ? online(machine) : null), machine);
  await until(podsOf(service).reached, pod);
  assert.equal(containers(), before);

  const forced = await service.call("DELETE", `/v1/machines/${machine}?force=true`);
  assert.equal(forced.status, 204, forced.text);
  assert.equal((await service.call("GET", `/v1/pods/${pod}`)).status, 404);
  // It answers, so nothing is left on it.
  const ours = ["--quiet", "--filter", `label=freehold.machine=${machine}`];
  const left = () =>
    [
      ["ps", "--all"],
      ["volume", "ls"],
      ["network", "ls"],
    ].map((list) => far.docker(...list, ...ours));
  await until(async () => left().join("") === "" || null, "");
});

test("a machine without a callback connection gets no Pods until its setting is corrected", {
  skip,
}, async (t) => {
  const service = await startService(t, { drivers: "simulated", protocol: QUICK });
  const far = await farMachine(t, ["GatewayPorts no"]);
  const machine = await added(service, far);
  const why = await until(machinesOf(service).troubled, machine);
  assert.match(why, /^the machine cannot call back: .*`GatewayPorts clientspecified`/);
  assert.equal((await machinesOf(service).get(machine))!.online, false);
  const { json } = await service.call("POST", "/v1/pods", { computeType: "CPU", imageName: "any" });
  assert.equal(json.code, "no_capacity");
  assert.deepEqual(json.why[0], { machineId: machine, reason: "it is offline" });
  const listed = await machineCommand(service, "list");
  assert.match(listed, new RegExp(`^${machine} .*never reached`, "m"));
  assert.match(listed, new RegExp(`^${machine}: the machine cannot call back`, "m"));
  // The connection that Freehold has is served by the old setting.
  far.sshd.reload(["GatewayPorts clientspecified"]);
  await until(machinesOf(service).online, machine);
  assert.equal((await machinesOf(service).get(machine))!.trouble, undefined);
  const removed = await machineCommand(service, "remove", machine);
  assert.match(removed, new RegExp(`^removed machine ${machine} .*containers and networks`));
  assert.equal(await machinesOf(service).get(machine), undefined);
});

test("a machine that was never reached says so, and is removed without a trace", async (t) => {
  const service = await startService(t, { drivers: "simulated", protocol: QUICK });
  const address = `ssh://root@127.0.0.1:${await freePort()}/docker.sock`;
  const { json } = await service.call("POST", "/v1/machines", { address });
  await until(machinesOf(service).troubled, json.id);
  assert.match(await machineCommand(service, "list"), /never reached.*unreachable by SSH/s);
  const removed = await machineCommand(service, "remove", json.id);
  assert.match(removed, /^removed machine .*; it was never reached\n$/);
  assert.equal(await machinesOf(service).get(json.id), undefined);
});

test("a key that is not authorized and an invalid machine are refused", { skip }, async (t) => {
  const service = await startService(t, { drivers: "simulated", protocol: QUICK });
  const far = await farMachine(t);
  const sshd = far.sshd.address("/nowhere.sock").replace("root@", "nobody@");
  const { json } = await service.call("POST", "/v1/machines", { ...far.body, address: sshd });
  const why = await until(machinesOf(service).troubled, json.id);
  assert.match(why, /it does not accept nobody with this key; add the public key/);
  const again = await service.call("POST", "/v1/machines", { ...far.body, address: sshd });
  assert.equal(again.json.code, "machine_known");
  const wrong = [
    { address: "gpu1" },
    { address: "ssh://gpu1" },
    { address: "tcp://gpu1:2376" },
    { address: "ssh://me@gpu1", simulatedGpus: { "NVIDIA A4": 1 } },
    { address: "ssh://me@gpu1", publicIp: "300.1.1.1" },
    { address: "ssh://me@gpu1", declare: { vcpus: 0 } },
  ];
  for (const body of wrong) {
    const { status, text } = await service.call("POST", "/v1/machines", body);
    assert.equal(status, 400, text);
  }
});
