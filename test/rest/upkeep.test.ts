// Tests of machines with their free resources, drained and under maintenance.

import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../src/base/clock.ts";
import { randomIds } from "../../src/base/ids.ts";
import { ensureKey } from "../../src/flows/account/first-account.ts";
import { insertAccount } from "../../src/store/account/account.ts";
import { change, type Tx } from "../../src/store/engine/statement.ts";
import { enterReplica, heartbeat } from "../../src/transactions/replica/membership.ts";
import { freehold } from "../cli/command.ts";
import { bareInventory as inventory } from "../fixtures/bare-machine.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 2}' };
const gpu = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"] };
const cpu = {
  driver: "simulated",
  imageName: "i",
  computeType: "CPU",
  vcpuCount: 4,
  cpuFlavorIds: ["cpu3c"],
};

test("resources of Pods are not free until the Pods release them", async (t) => {
  const service = await simulatedService(t, { env });
  const machine = async () => (await service.call("GET", "/v1/machines")).json[0];
  const before = await machine();
  assert.deepEqual([before.vcpuFree, before.memoryFreeInGb, before.diskFreeInGb], [64, 256, 2_000]);
  const creation = await service.call("POST", "/v1/pods", {
    ...cpu,
    containerDiskInGb: 10,
    volumeInGb: 5,
  });
  await service.call("POST", "/v1/pods", gpu);
  const during = await machine();
  assert.deepEqual([during.vcpuFree, during.memoryFreeInGb, during.diskFreeInGb], [60, 248, 1_985]);
  assert.deepEqual([during.gpus[0].count, during.gpus[0].free], [2, 1]);
  await service.call("POST", `/v1/pods/${creation.json.id}/stop`);
  const after = await machine();
  assert.deepEqual([after.vcpuFree, after.diskFreeInGb], [64, 1_995], "the volume stays");
});

test("on a drained machine Pods stay, workers end, and nothing is placed", async (t) => {
  const service = await simulatedService(t, { env, protocol: { endingHoldMs: 20 } });
  const [{ id }] = (await service.call("GET", "/v1/machines")).json;
  const pod = (await service.call("POST", "/v1/pods", gpu)).json;
  await until(podsOf(service).reached, pod.id);
  const endpoint = await service.makeEndpoint({
    template: { driver: "simulated", dockerStartCmd: ["simulate", "--echo"] },
    spec: { workersMin: 1, workersMax: 1 },
  });
  const live = async () =>
    (await service.call("GET", `/v1/endpoints/${endpoint}/workers?ended=0`)).json.length;
  await until(async () => (await live()) === 1 || null, "");
  const drained = await freehold(["machine", "drain", id, "--data", service.dataFolder]);
  assert.match(drained.stdout, /is draining: workers finish/, drained.stderr);
  await until(async () => (await live()) === 0 || null, "");
  const refused = await service.call("POST", "/v1/pods", gpu);
  assert.deepEqual([refused.status, refused.json.why[0].reason], [500, "it is being drained"]);
  const why = (await service.call("GET", `/v1/why/${endpoint}`)).json;
  assert.match(why.sentence, /it is being drained/);
  assert.equal((await podsOf(service).get(pod.id)).publicIp, "127.0.0.1");
  const open = await service.call("PATCH", `/v1/machines/${id}`, { draining: false });
  assert.equal(open.json.draining, false);
  await until(async () => (await live()) === 1 || null, "");
});

test("maintenance is announced in advance, and closes the machine while it lasts", async (t) => {
  const service = await simulatedService(t, { env });
  const [{ id }] = (await service.call("GET", "/v1/machines")).json;
  const plan = (body: object) => service.call("PATCH", `/v1/machines/${id}`, body);
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const [start, end] = [at(60), at(120)];
  await plan({ maintenanceStart: start, maintenanceEnd: end, maintenanceNote: "new disks" });
  const pod = (await service.call("POST", "/v1/pods", gpu)).json;
  const read = await service.call("GET", `/v1/pods/${pod.id}?includeMachine=true`);
  assert.partialDeepStrictEqual(read.json.machine, {
    maintenanceStart: start,
    maintenanceEnd: end,
    maintenanceNote: "new disks",
  });
  await plan({ maintenanceStart: at(-1) });
  const refused = await service.call("POST", "/v1/pods", gpu);
  assert.equal(refused.json.why[0].reason, "it is in maintenance");
  const [there] = (await service.call("GET", "/v1/machines")).json;
  assert.deepEqual([there.vcpuFree, there.gpus[0].free], [0, 0]);
  await plan({ maintenanceStart: null, maintenanceEnd: null, maintenanceNote: null });
  assert.equal((await service.call("POST", "/v1/pods", gpu)).status, 201);
});

function* moveTo(machine: string, pod: string): Tx<void> {
  yield* change("update pod set machine = ? where id = ?", machine, pod);
}

test("Pods of a lost machine are marked, until it is back", async (t) => {
  const service = await simulatedService(t, { env, protocol: { machineLostMs: 300 } });
  const { store } = service.service;
  const pods = podsOf(service);
  const { id } = (await service.call("POST", "/v1/pods", gpu)).json;
  await until(pods.reached, id);
  const ghost = { id: "ghost", machine: "ghost", drivers: ["simulated"], address: "", inventory };
  await store.write(moveTo, "ghost", id);
  await store.write(enterReplica, ghost, Date.now() - 200_000);
  const lost = await until(pods.unreached, id);
  assert.deepEqual([lost.desiredStatus, lost.portMappings], ["RUNNING", {}]);
  assert.match(lost.lastStatusChange, /^Machine lost: /);
  assert.equal((await service.call("GET", `/v1/why/${id}`)).json.code, "pod_machine_away");
  const machines = (await service.call("GET", "/v1/machines")).json;
  const shown = machines.find((each: { id: string }) => each.id === "ghost");
  assert.ok(shown.lostAt && !shown.online);
  await store.write(heartbeat, ghost, Date.now() + 60_000, { leaseMs: 0, goneMs: 8_000 });
  assert.match((await until(pods.reached, id)).lastStatusChange, /^Rented by user/);
});

test("an invalid request is rejected with its errors, and only the operator's account is allowed", async (t) => {
  const service = await simulatedService(t, { env });
  const [{ id }] = (await service.call("GET", "/v1/machines")).json;
  const wrong: [path: string, body: object, status: number, sentence: RegExp][] = [
    ["nobody", { draining: true }, 404, /There is no machine nobody/],
    [id, { maintenanceEnd: "2030-01-01T00:00:00Z" }, 400, /later than "maintenanceStart"/],
    [id, { maintenanceStart: "soon" }, 400, /"maintenanceStart" must be an instant, or null/],
    [id, { drain: true }, 400, /Did you mean "draining"/],
  ];
  for (const [path, body, status, sentence] of wrong) {
    const refused = await service.call("PATCH", `/v1/machines/${path}`, body);
    assert.equal(refused.status, status, refused.text);
    assert.match(refused.json.message, sentence);
  }
  const { store } = service.service;
  const other = { id: "second", name: "second", webhookSecret: null, createdAt: Date.now() };
  await store.write(insertAccount, other);
  const key = "fh_the-key-of-another-account";
  await ensureKey({ store, clock: systemClock, ids: randomIds }, other.id, "other", key);
  const headers = { authorization: `Bearer ${key}` };
  const refused = await service.call("PATCH", `/v1/machines/${id}`, { draining: true }, headers);
  assert.deepEqual([refused.status, refused.json.code], [403, "forbidden"]);
});
