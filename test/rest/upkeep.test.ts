// Machines with what is free on them; drained, and worked on.

import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../src/base/clock.ts";
import { randomIds } from "../../src/base/ids.ts";
import { bareInventory as inventory } from "../../src/domain/machine/bare.testing.ts";
import { ensureKey } from "../../src/flows/account/first-account.ts";
import { insertAccount } from "../../src/store/account/account.ts";
import { beat, enterReplica } from "../../src/store/replica/replica.ts";
import { change, type Verb } from "../../src/store/statement.ts";
import { freehold } from "../cli/command.ts";
import { fakeHouse, podsOf, until } from "../pods/stage.ts";

const env = { FREEHOLD_VIRTUAL_GPUS: '{"NVIDIA A40": 2}' };
const gpu = { driver: "fake", imageName: "i", gpuTypeIds: ["NVIDIA A40"] };
const cpu = {
  driver: "fake",
  imageName: "i",
  computeType: "CPU",
  vcpuCount: 4,
  cpuFlavorIds: ["cpu3c"],
};

test("what Pods have is not free, and is again once they let it go", async (t) => {
  const house = await fakeHouse(t, { env });
  const machine = async () => (await house.call("GET", "/v1/machines")).json[0];
  const before = await machine();
  assert.deepEqual([before.vcpuFree, before.memoryFreeInGb, before.diskFreeInGb], [64, 256, 2_000]);
  const made = await house.call("POST", "/v1/pods", {
    ...cpu,
    containerDiskInGb: 10,
    volumeInGb: 5,
  });
  await house.call("POST", "/v1/pods", gpu);
  const during = await machine();
  assert.deepEqual([during.vcpuFree, during.memoryFreeInGb, during.diskFreeInGb], [60, 248, 1_985]);
  assert.deepEqual([during.gpus[0].count, during.gpus[0].free], [2, 1]);
  await house.call("POST", `/v1/pods/${made.json.id}/stop`);
  const after = await machine();
  assert.deepEqual([after.vcpuFree, after.diskFreeInGb], [64, 1_995], "the volume stays");
});

test("on a machine that is drained Pods stay, workers end, and nothing new begins", async (t) => {
  const house = await fakeHouse(t, { env, protocol: { endingHoldMs: 20 } });
  const [{ id }] = (await house.call("GET", "/v1/machines")).json;
  const pod = (await house.call("POST", "/v1/pods", gpu)).json;
  await until(podsOf(house).reached, pod.id);
  const endpoint = await house.makeEndpoint({
    template: { driver: "fake", dockerStartCmd: ["fake-worker", "--echo"] },
    spec: { workersMin: 1, workersMax: 1 },
  });
  const live = async () =>
    (await house.call("GET", `/v1/endpoints/${endpoint}/workers?ended=0`)).json.length;
  await until(async () => (await live()) === 1 || null, "");
  const drained = await freehold(["machine", "drain", id, "--data", house.dataFolder]);
  assert.match(drained.stdout, /online, draining/, drained.stderr);
  await until(async () => (await live()) === 0 || null, "");
  const refused = await house.call("POST", "/v1/pods", gpu);
  assert.deepEqual([refused.status, refused.json.why[0].reason], [500, "it is being drained"]);
  const why = (await house.call("GET", `/v1/why/${endpoint}`)).json;
  assert.match(why.sentence, /it is being drained/);
  assert.equal((await podsOf(house).get(pod.id)).publicIp, "127.0.0.1");
  const open = await house.call("PATCH", `/v1/machines/${id}`, { draining: false });
  assert.equal(open.json.draining, false);
  await until(async () => (await live()) === 1 || null, "");
});

test("maintenance is shown before it comes, and closes the machine while it lasts", async (t) => {
  const house = await fakeHouse(t, { env });
  const [{ id }] = (await house.call("GET", "/v1/machines")).json;
  const plan = (body: object) => house.call("PATCH", `/v1/machines/${id}`, body);
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const [start, end] = [at(60), at(120)];
  await plan({ maintenanceStart: start, maintenanceEnd: end, maintenanceNote: "new disks" });
  const pod = (await house.call("POST", "/v1/pods", gpu)).json;
  const read = await house.call("GET", `/v1/pods/${pod.id}?includeMachine=true`);
  assert.partialDeepStrictEqual(read.json.machine, {
    maintenanceStart: start,
    maintenanceEnd: end,
    maintenanceNote: "new disks",
  });
  await plan({ maintenanceStart: at(-1) });
  const refused = await house.call("POST", "/v1/pods", gpu);
  assert.equal(refused.json.why[0].reason, "it is in maintenance");
  const [there] = (await house.call("GET", "/v1/machines")).json;
  assert.deepEqual([there.vcpuFree, there.gpus[0].free], [0, 0]);
  await plan({ maintenanceStart: null, maintenanceEnd: null, maintenanceNote: null });
  assert.equal((await house.call("POST", "/v1/pods", gpu)).status, 201);
});

function* moveTo(machine: string, pod: string): Verb<void> {
  yield* change("update pod set machine = ? where id = ?", machine, pod);
}

test("Pods of a lost machine are shown so, and as before when it is back", async (t) => {
  const house = await fakeHouse(t, { env, protocol: { machineLostMs: 300 } });
  const { store } = house.house;
  const pods = podsOf(house);
  const { id } = (await house.call("POST", "/v1/pods", gpu)).json;
  await until(pods.reached, id);
  const ghost = { id: "ghost", machine: "ghost", drivers: ["fake"], address: "", inventory };
  await store.write(moveTo, "ghost", id);
  await store.write(enterReplica, ghost, Date.now() - 200_000);
  const lost = await until(pods.unreached, id);
  assert.deepEqual([lost.desiredStatus, lost.portMappings], ["RUNNING", {}]);
  assert.match(lost.lastStatusChange, /^Machine lost: /);
  assert.equal((await house.call("GET", `/v1/why/${id}`)).json.code, "pod_machine_away");
  const machines = (await house.call("GET", "/v1/machines")).json;
  const shown = machines.find((each: { id: string }) => each.id === "ghost");
  assert.ok(shown.lostAt && !shown.online);
  await store.write(beat, ghost, Date.now() + 60_000, 0);
  assert.match((await until(pods.reached, id)).lastStatusChange, /^Rented by user/);
});

test("what is wrong is named, and only the operator's account may", async (t) => {
  const house = await fakeHouse(t, { env });
  const [{ id }] = (await house.call("GET", "/v1/machines")).json;
  const wrong: [path: string, body: object, status: number, sentence: RegExp][] = [
    ["nobody", { draining: true }, 404, /There is no machine nobody/],
    [id, { maintenanceEnd: "2030-01-01T00:00:00Z" }, 400, /later than "maintenanceStart"/],
    [id, { maintenanceStart: "soon" }, 400, /"maintenanceStart" must be an instant, or null/],
    [id, { drain: true }, 400, /Did you mean "draining"/],
  ];
  for (const [path, body, status, sentence] of wrong) {
    const refused = await house.call("PATCH", `/v1/machines/${path}`, body);
    assert.equal(refused.status, status, refused.text);
    assert.match(refused.json.message, sentence);
  }
  const { store } = house.house;
  const other = { id: "second", name: "second", webhookSecret: null, createdAt: Date.now() };
  await store.write(insertAccount, other);
  const key = "fh_the-key-of-another-account";
  await ensureKey({ store, clock: systemClock, ids: randomIds }, other.id, "other", key);
  const asked = { authorization: `Bearer ${key}` };
  const refused = await house.call("PATCH", `/v1/machines/${id}`, { draining: true }, asked);
  assert.deepEqual([refused.status, refused.json.code], [403, "forbidden"]);
});
