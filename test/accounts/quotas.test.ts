// Tests of quotas: what a member or an account may hold at once, in every interface that creates or starts something.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "../../src/store/engine/store.ts";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

const GPU = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], volumeInGb: 0 };
const CPU = {
  driver: "simulated",
  imageName: "i",
  computeType: "CPU",
  vcpuCount: 2,
  volumeInGb: 0,
};

test("a member's quota is enforced in every interface that creates or starts something", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "dev", "Ada");
  const grace = await join(service, "admin", "Grace");
  const own = `/v1/quota/members/${ada.member.id}`;
  const limit = async (limits: object) => {
    const answer = await grace.call("PATCH", own, limits);
    assert.equal(answer.status, 200, answer.text);
    return answer.json.members.find(({ id }: { id: string }) => id === ada.member.id);
  };
  await limit({ gpus: 2, gpuTypes: { "NVIDIA L4": 0 } });
  const first = await ada.call("POST", "/v1/pods", GPU);
  const second = await ada.call("POST", "/v1/pods", GPU);
  assert.deepEqual([first.status, second.status], [201, 201], second.text);
  const refused = await ada.call("POST", "/v1/pods", GPU);
  assert.equal(refused.status, 400);
  assert.match(
    refused.text,
    /You hold 2 of 2 GPUs, and this adds 1. Stop a Pod, or ask an admin of the account to raise the limit/,
  );
  const v2 = { name: "n", image: "i", gpu: { id: "NVIDIA A40", count: 1 } };
  assert.match((await ada.call("POST", "/v2/pods", v2)).text, /You hold 2 of 2 GPUs/);
  const input = `imageName: "i", gpuTypeId: "NVIDIA A40", gpuCount: 1, driver: "simulated"`;
  const query = `mutation { podFindAndDeployOnDemand(input: {${input}}) { id } }`;
  assert.match((await ada.call("POST", "/graphql", { query })).text, /You hold 2 of 2 GPUs/);
  const { json: quote } = await ada.call("POST", "/v1/quote", { pod: GPU });
  assert.equal(quote.refused.code, "quota_exceeded");
  // Others and CPU Pods are free to start.
  assert.equal((await grace.call("POST", "/v1/pods", GPU)).status, 201);
  assert.equal((await service.call("POST", "/v1/pods", GPU)).status, 201);
  assert.equal((await ada.call("POST", "/v1/pods", CPU)).status, 201);

  // A stopped Pod makes room at once, and cannot come back before there is room again.
  await ada.call("POST", `/v1/pods/${first.json.id}/stop`);
  const third = await ada.call("POST", "/v1/pods", GPU);
  assert.equal(third.status, 201, third.text);
  const start = () => grace.call("POST", `/v1/pods/${first.json.id}/start`);
  assert.match((await start()).text, /Ada holds 2 of 2 GPUs, and this adds 1/);
  const resume = `mutation { podResume(input: {podId: "${first.json.id}", gpuCount: 1}) { id } }`;
  const resumed = await ada.call("POST", "/graphql", { query: resume });
  assert.match(resumed.text, /Ada holds 2 of 2 GPUs/);

  // A lower limit stops nothing, and says what is over.
  const { used, over, ownLimits } = await limit({ gpus: 1, pods: 1 });
  assert.deepEqual([used.gpus, used.gpuTypes], [2, { "NVIDIA A40": 2 }]);
  assert.deepEqual(over, ["2 of 1 GPUs", "3 of 1 running Pods"]);
  assert.deepEqual(ownLimits.sort(), ["gpuTypes.NVIDIA L4", "gpus", "pods"]);
  assert.equal((await ada.call("GET", `/v1/pods/${third.json.id}`)).json.desiredStatus, "RUNNING");
  const box = await ada.call("POST", "/v2/sandboxes", { imageName: "i" });
  assert.match(box.text, /You hold 3 of 1 running Pods/);
  // Deleting is never refused, and changes that add nothing are not either.
  assert.equal((await ada.call("PATCH", `/v1/pods/${third.json.id}`, { name: "x" })).status, 200);

  // The default applies where nothing is set, and null is no limit.
  await grace.call("PATCH", "/v1/quota/member-default", { gpus: 2, costPerHr: 0.000001 });
  const { limits } = await limit({ gpus: "default", pods: null });
  assert.deepEqual(limits, { gpus: 2, costPerHr: 0.000001, gpuTypes: { "NVIDIA L4": 0 } });
  assert.match((await ada.call("POST", "/v1/pods", CPU)).text, /of 0.000001 dollars per hour/);
  const graceHolds = await grace.call("POST", "/v1/pods", GPU);
  assert.match(graceHolds.text, /You hold .* of 0.000001 dollars per hour/);
  await limit({ costPerHr: null });
  assert.equal((await ada.call("POST", "/v1/pods", CPU)).status, 201);

  const { json } = await ada.call("GET", "/v1/quota");
  const held = [json.unowned, ...json.members.map((each: { used: object }) => each.used)];
  const total = held.reduce((sum: number, each: { pods: number }) => sum + each.pods, 0);
  assert.deepEqual([json.account.used.pods, json.account.used.gpus], [total, 4]);
});

test("the limits of a member who was removed can be lifted, for what stayed", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "dev", "Ada");
  const grace = await join(service, "admin", "Grace");
  const limit = (limits: object) =>
    grace.call("PATCH", `/v1/quota/members/${ada.member.id}`, limits);
  const { id } = (await ada.call("POST", "/v1/pods", CPU)).json;
  await limit({ pods: 0 });
  assert.equal((await grace.call("DELETE", `/v1/members/${ada.member.id}`)).status, 204);
  await service.call("POST", `/v1/pods/${id}/stop`);
  const restart = () => service.call("POST", `/v1/pods/${id}/start`);
  assert.match((await restart()).text, /Ada holds 0 of 0 running Pods/);
  const lifted = await limit({ pods: null });
  assert.equal(lifted.status, 200, lifted.text);
  assert.equal((await restart()).status, 200);
});

test("a limit on a GPU type leads to another type, and volumes and clusters count", async (t) => {
  const service = await simulatedService(t);
  const { id } = (await service.call("GET", "/v1/account")).json;
  const limit = async (limits: object) => {
    const answer = await service.call("PATCH", `/v1/accounts/${id}/quota`, limits);
    assert.equal(answer.status, 200, answer.text);
    return answer.json.account;
  };
  await limit({ gpuTypes: { "NVIDIA A40": 1 } });
  const either = { ...GPU, gpuTypeIds: ["NVIDIA A40", "NVIDIA L4"], gpuTypePriority: "custom" };
  const types = [];
  for (let n = 0; n < 2; n++) {
    const { json: quote } = await service.call("POST", "/v1/quote", { pod: either });
    assert.deepEqual([quote.refused, quote.gpuTypeId], [undefined, either.gpuTypeIds[n]]);
    const { json } = await service.call("POST", "/v1/pods", either);
    const { json: pod } = await service.call("GET", `/v1/pods/${json.id}?includeMachine=true`);
    types.push(pod.machine.gpuTypeId);
  }
  assert.deepEqual(types, ["NVIDIA A40", "NVIDIA L4"]);
  const refused = await service.call("POST", "/v1/pods", GPU);
  assert.match(refused.text, /The account holds 1 of 1 GPUs of type NVIDIA A40/);
  assert.match(refused.text, /ask the operator to raise the limit/);

  await limit({ gpuTypes: { "NVIDIA A40": null }, gpus: 3, volumeGb: 30 });
  const compute = { gpuTypeId: "NVIDIA A40", gpuCountPerPod: 1, podCount: 2 };
  const cluster = { name: "c", type: "TRAINING", image: "i", compute };
  const gang = await service.call("POST", "/v2/clusters", cluster);
  assert.match(gang.text, /holds 2 of 3 GPUs, and this adds 2/);
  const volume = { name: "v", size: 20, dataCenterId: "EU-RO-1" };
  const created = await service.call("POST", "/v1/networkvolumes", volume);
  assert.equal(created.status, 200, created.text);
  const address = `/v1/networkvolumes/${created.json.id}`;
  const larger = await service.call("PATCH", address, { size: 40 });
  assert.match(larger.text, /holds 20 of 30 GB of volumes, and this adds 20. Delete a volume/);
  const pod = await service.call("POST", "/v1/pods", { ...CPU, volumeInGb: 10 });
  assert.equal(pod.status, 201, pod.text);
  const grown = await service.call("PATCH", `/v1/pods/${pod.json.id}`, { volumeInGb: 11 });
  assert.match(grown.text, /holds 30 of 30 GB of volumes, and this adds 1/);
  assert.deepEqual((await limit({ volumeGb: null })).over, []);
  assert.equal((await service.call("PATCH", address, { size: 40 })).status, 200);

  const unknown = await service.call("PATCH", `/v1/accounts/${id}/quota`, {
    gpuTypes: { A40: 1 },
  });
  assert.equal(unknown.status, 400);
  assert.match(unknown.json.error, /has "A40", which is not a GPU type; did you mean "NVIDIA A40"/);
  const ada = await join(service, "dev", "Ada");
  const lifted = { gpuTypes: { A40: null } };
  const own = await service.call("PATCH", `/v1/quota/members/${ada.member.id}`, lifted);
  assert.equal(own.status, 400, "no limit is on a type that there is not");
  for (const [path, body] of [
    ["/v1/quota/members/nobody", { gpus: 1 }],
    ["/v1/accounts/nobody/quota", { gpus: 1 }],
  ] as const) {
    assert.equal((await service.call("PATCH", path, body)).status, 404);
  }
  for (const body of [{ gpus: -1 }, { gpus: 1.5 }, { gpus: "default" }, { cpus: 1 }]) {
    assert.equal((await service.call("PATCH", "/v1/quota/member-default", body)).status, 400);
  }
});

test("volumes and workers count for their owner, and what is handed over may be over", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "dev", "Ada");
  const grace = await join(service, "admin", "Grace");
  await grace.call("PATCH", "/v1/quota/member-default", { volumeGb: 30, gpus: 1 });
  const volume = { name: "v", size: 20, dataCenterId: "EU-RO-1" };
  const { json: mounted } = await ada.call("POST", "/v1/networkvolumes", volume);
  const another = await ada.call("POST", "/v1/networkvolumes", volume);
  assert.match(another.text, /You hold 20 of 30 GB of volumes, and this adds 20/);
  const { json: quote } = await ada.call("POST", "/v1/quote", { networkVolume: volume });
  assert.equal(quote.refused.code, "quota_exceeded");
  const larger = await grace.call("PATCH", `/v1/networkvolumes/${mounted.id}`, { size: 31 });
  assert.match(larger.text, /Ada holds 20 of 30 GB of volumes, and this adds 11/);
  assert.equal((await grace.call("POST", "/v1/networkvolumes", volume)).status, 200);

  const template = { name: "t", imageName: "i", driver: "simulated", isServerless: true };
  const { json } = await ada.call("POST", "/v1/templates", template);
  const endpoint = { name: "e", templateId: json.id, gpuTypeIds: ["NVIDIA A40"], workersMin: 2 };
  const { json: created } = await ada.call("POST", "/v1/endpoints", endpoint);
  const waits = await until(async () => {
    const { json: why } = await ada.call("GET", `/v1/why/${created.id}`);
    return why.code === "quota_exceeded" ? why : null;
  });
  assert.match(waits.sentence, /Ada holds 1 of 1 GPUs, and this adds 1/);
  assert.match((await ada.call("POST", "/v1/pods", GPU)).text, /You hold 1 of 1 GPUs/);

  const path = `/v1/members/${ada.member.id}?handOverTo=${grace.member.id}`;
  await service.call("DELETE", path);
  const { members, unowned } = (await service.call("GET", "/v1/quota")).json;
  assert.deepEqual([members.length, unowned.volumeGb], [1, 0]);
  assert.deepEqual(members[0].over, ["40 of 30 GB of volumes"]);
  assert.equal(members[0].used.gpus, 1);
});

test("a worker that starts while its endpoint is handed over counts for the new owner", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "dev", "Ada");
  const grace = await join(service, "admin", "Grace");
  await grace.call("PATCH", "/v1/quota/member-default", { gpus: 1 });
  const template = { name: "t", imageName: "i", driver: "simulated", isServerless: true };
  const { json } = await ada.call("POST", "/v1/templates", template);
  const endpoint = { name: "e", templateId: json.id, gpuTypeIds: ["NVIDIA A40"], workersMin: 2 };
  const { json: created } = await ada.call("POST", "/v1/endpoints", endpoint);
  const workers = async () =>
    (await grace.call("GET", `/v1/endpoints/${created.id}/workers`)).json.length;
  await until(async () => (await workers()) === 1);
  const start = pauseNextStart(service.service.store);
  await until(() => start.isPaused());
  await service.call("DELETE", `/v1/members/${ada.member.id}?handOverTo=${grace.member.id}`);
  await start.goOn();
  assert.equal(await workers(), 1);
});

/** The next attempt to start a worker waits, after its endpoint was read and before its commit. */
function pauseNextStart(store: Store) {
  const write = store.write;
  const gate = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let isPaused = false;
  const paused = async (...call: [{ name: string }, ...unknown[]]) => {
    const isNext = call[0].name === "startWorker" && !isPaused;
    if (!isNext) return Reflect.apply(write, store, call);
    isPaused = true;
    await gate.promise;
    return Reflect.apply(write, store, call).finally(ended.resolve);
  };
  store.write = paused as unknown as Store["write"];
  return {
    isPaused: () => isPaused,
    goOn: () => {
      gate.resolve();
      return ended.promise;
    },
  };
}

test("workers wait at the account's limit, and why names it", async (t) => {
  const service = await simulatedService(t);
  const { id } = (await service.call("GET", "/v1/account")).json;
  const path = `/v1/accounts/${id}/quota`;
  await service.call("PATCH", path, { gpus: 1 });
  const pod = await service.call("POST", "/v1/pods", GPU);
  const template = { name: "t", imageName: "i", driver: "simulated", isServerless: true };
  const { json } = await service.call("POST", "/v1/templates", template);
  const endpoint = { name: "e", templateId: json.id, gpuTypeIds: ["NVIDIA A40"], workersMin: 1 };
  const created = await service.call("POST", "/v1/endpoints", endpoint);
  assert.equal(created.status, 200, created.text);
  const why = async () => (await service.call("GET", `/v1/why/${created.json.id}`)).json;
  const waits = await until(async () => {
    const answer = await why();
    return answer.code === "quota_exceeded" ? answer : null;
  });
  assert.match(waits.sentence, /No further worker is started. The account holds 1 of 1 GPUs/);
  const workers = async () =>
    (await service.call("GET", `/v1/endpoints/${created.json.id}/workers`)).json;
  assert.deepEqual(await workers(), []);
  // Room for the worker lets it start without another event.
  await service.call("POST", `/v1/pods/${pod.json.id}/stop`);
  await until(async () => (await workers()).length === 1);
  const { account, unowned } = (await service.call("GET", "/v1/quota")).json;
  assert.deepEqual([account.used.gpus, unowned.gpus], [1, 1]);
  // The vCPUs that come with simulated GPUs count, as those of Pods do.
  assert.equal(account.used.vcpus, 2);
  assert.match((await service.call("POST", `/v1/pods/${pod.json.id}/start`)).text, /1 of 1 GPUs/);
  await service.call("PATCH", path, { gpus: null, vcpus: 3 });
  await service.call("PATCH", `/v1/endpoints/${created.json.id}`, { workersMin: 2 });
  await until(async () => {
    const { sentence } = await why();
    return /The account holds 2 of 3 vCPUs, and this adds 2/.test(sentence);
  });
});
