// Tests of Pods that wait in line: creations with "queue".

import assert from "node:assert/strict";
import { test } from "node:test";
import { topic } from "../../src/store/engine/notifier.ts";
import { change, row } from "../../src/store/engine/statement.ts";
import { join } from "../accounts/join.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "./fixture.ts";

const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 1, "NVIDIA L4": 1}' };
const common = { driver: "simulated", imageName: "i", volumeInGb: 0 };
const onGpu = { ...common, gpuTypeIds: ["NVIDIA A40"] };
const onCpu = { ...common, computeType: "CPU" };
const queue = true;

type Call = TestService["call"];

/** Rents every A40. */
async function fill(call: Call): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const { status, json } = await call("POST", "/v1/pods", onGpu);
    if (status !== 201) return ids;
    ids.push(json.id);
  }
}

async function enqueue(call: Call, body: object) {
  const { status, json, text } = await call("POST", "/v1/pods", { ...body, queue });
  assert.equal(status, 201, text);
  assert.equal(json.status, "QUEUED", text);
  return json;
}

const reader = (call: Call) => async (id: string) => (await call("GET", `/v1/pods/${id}`)).json;

const createdOf = (call: Call) => async (id: string) => {
  const pod = await reader(call)(id);
  return pod.machineId ? pod : null;
};

const refusedOf = (call: Call) => async (id: string) => {
  const pod = await reader(call)(id);
  return pod.queued?.refused ? pod : null;
};

test("a Pod waits in line for a GPU and is created with its id", async (t) => {
  const service = await simulatedService(t, { env });
  const { call } = service;
  const [running] = await fill(call);
  const first = await enqueue(call, { ...onGpu, name: "first", stopWhenIdle: { minutes: 5 } });
  assert.deepEqual(first.queued.position, 1);
  assert.equal(first.queued.waitsFor.code, "no_capacity");
  assert.deepEqual([first.desiredStatus, first.costPerHr, first.gpuCount], ["RUNNING", 0, 1]);
  assert.deepEqual([first.gpuTypeId, first.vcpuCount], ["NVIDIA A40", 2]);
  const second = await enqueue(call, onGpu);
  assert.equal(second.queued.position, 2);
  // What waits for something else is not held up.
  for (const body of [onCpu, { ...common, gpuTypeIds: ["NVIDIA L4"] }]) {
    const { status, json } = await call("POST", "/v1/pods", { ...body, queue });
    assert.deepEqual([status, json.status === "QUEUED", json.queued], [201, false, undefined]);
  }

  const listed = (await call("GET", "/v1/pods")).json;
  const inLine = listed.filter(({ queued }: { queued?: object }) => queued);
  assert.deepEqual(
    new Set(inLine.map(({ id }: { id: string }) => id)),
    new Set([first.id, second.id]),
  );
  const why = (await call("GET", `/v1/why/${second.id}`)).json;
  assert.equal(why.code, "pod_queued");
  assert.match(why.sentence, /behind 1 other\. All machines that could run it are full/);
  for (const [method, path] of [
    ["POST", "stop"],
    ["POST", "start"],
    ["PATCH", ""],
    ["GET", "logs"],
    ["GET", "metrics"],
  ] as const) {
    const body = method === "PATCH" ? { name: "n" } : undefined;
    const refusal = await call(method, `/v1/pods/${first.id}/${path}`.replace(/\/$/, ""), body);
    assert.deepEqual([refusal.status, refusal.json.code], [409, "pod_queued"], path);
  }

  await call("DELETE", `/v1/pods/${running}`);
  const created = await until(createdOf(call), first.id);
  assert.deepEqual([created.name, created.queued], ["first", undefined]);
  assert.equal(created.stopWhenIdle.minutes, 5);
  const events = (await call("GET", `/v1/pods/${first.id}/events`)).json;
  const names = events.map(({ event }: { event: string }) => event).reverse();
  assert.deepEqual(names.slice(0, 2), ["queued", "created"]);
  await until(async () => (await reader(call)(second.id)).queued.position === 1);
  const queuedEvents = (await call("GET", `/v1/pods/${second.id}/events`)).json;
  assert.deepEqual(
    queuedEvents.map(({ actor }: { actor: string }) => actor),
    ["key"],
  );

  assert.equal((await call("DELETE", `/v1/pods/${second.id}`)).status, 204);
  assert.equal((await call("GET", `/v1/pods/${second.id}`)).status, 404);
  assert.equal((await call("GET", `/v1/why/${second.id}`)).status, 404);
});

test("what waiting cannot change is refused at once, and other faces refuse the field", async (t) => {
  const { call } = await simulatedService(t, { env });
  const create = (body: object) => call("POST", "/v1/pods", { ...body, queue });
  const h100 = await create({ ...common, gpuTypeIds: ["NVIDIA H100 80GB HBM3"] });
  assert.deepEqual([h100.status, h100.json.code], [500, "no_capacity"]);
  assert.equal((await create({ ...onGpu, gpuCount: 9 })).json.code, "no_capacity");
  assert.equal((await create({ ...onGpu, imageName: "" })).status, 400);
  assert.equal((await call("POST", "/v1/pods", { ...onGpu, queue: "yes" })).status, 400);
  const { id } = (await call("GET", "/v1/account")).json;
  await call("PATCH", `/v1/accounts/${id}/quota`, { gpus: 0 });
  assert.equal((await create(onGpu)).json.code, "quota_exceeded");
  await call("PATCH", `/v1/accounts/${id}/quota`, { gpus: null });
  await call("POST", "/v1/balance/credits", { amount: 0.0001 });
  assert.equal((await create(onGpu)).json.code, "no_credits");
  const listed = (await call("GET", "/v1/pods")).json;
  assert.deepEqual(listed, []);

  const quoted = await call("POST", "/v1/quote", { pod: { ...onGpu, queue } });
  assert.equal(quoted.status, 400);
  const v2 = await call("POST", "/v2/pods", { name: "n", image: "i", queue });
  assert.ok(v2.status === 400 || v2.status === 422, v2.text);
});

test("an Idempotency-Key enters the line once", async (t) => {
  const { call } = await simulatedService(t, { env });
  const filling = await fill(call);
  const again = () =>
    call("POST", "/v1/pods", { ...onGpu, queue }, { "idempotency-key": "queue-once" });
  const [a, b] = [await again(), await again()];
  assert.deepEqual([a.status, b.status, b.json.id], [201, 201, a.json.id]);
  await call("DELETE", `/v1/pods/${filling[0]}`);
  await until(createdOf(call), a.json.id);
  assert.equal((await again()).json.id, a.json.id);
  const listed = (await call("GET", "/v1/pods")).json;
  assert.equal(listed.length, filling.length);
});

test("a member waits for a quota, which holds up no other member", async (t) => {
  const service = await simulatedService(t, { env });
  const ann = await join(service, "member", "Ann", "ann@example.org");
  const bob = await join(service, "member", "Bob", "bob@example.org");
  await service.call("PATCH", "/v1/quota/member-default", { pods: 1 });
  const held = (await ann.call("POST", "/v1/pods", onCpu)).json;
  const waiting = await enqueue(ann.call, onCpu);
  assert.equal(waiting.queued.waitsFor.code, "quota_exceeded");
  assert.equal((await bob.call("POST", "/v1/pods", { ...onCpu, queue })).json.queued, undefined);

  const sentence = async () => (await ann.call("GET", `/v1/why/${waiting.id}`)).json.sentence;
  await until(async () => /Ann holds 1 of 1 running Pods/.test(await sentence()));
  assert.match(await sentence(), /and is next/);
  const { next: ending } = (await ann.call("GET", `/v1/why/${waiting.id}`)).json;
  assert.match(
    ending,
    /^It is created when other Pods or workers of the member end or its limit rises\./,
  );
  for (const [method, path] of [
    ["GET", "/v1/pods"],
    ["GET", "/v1/why"],
    ["DELETE", "/v1/pods"],
  ]) {
    const refusal = await bob.call(method!, `${path}/${waiting.id}`);
    assert.deepEqual([refusal.status, refusal.json.code], [403, "not_owner"], `${method} ${path}`);
  }
  const ids = (await bob.call("GET", "/v1/pods")).json.map(({ id }: { id: string }) => id);
  assert.ok(!ids.includes(waiting.id));

  await ann.call("POST", `/v1/pods/${held.id}/stop`);
  const created = await until(createdOf(ann.call), waiting.id);
  assert.equal(created.createdBy.id, ann.member.id);

  // A raised limit starts it too.
  const next = await enqueue(ann.call, onCpu);
  await service.call("PATCH", "/v1/quota/member-default", { pods: 2 });
  await until(createdOf(ann.call), next.id);
});

test("a request that can no longer be created leaves the line and says why", async (t) => {
  const { call } = await simulatedService(t, { env });
  const [running] = await fill(call);
  const template = { name: "t", imageName: "i" };
  const templateId = (await call("POST", "/v1/templates", template)).json.id;
  const templated = await enqueue(call, { ...onGpu, templateId });
  const late = await enqueue(call, { ...onGpu, terminateAfter: "2020-01-01T00:00:00Z" });
  const { reason } = (await until(refusedOf(call), late.id)).queued.refused;
  assert.equal(reason, "its terminateAfter time passed while it waited");
  await call("DELETE", `/v1/templates/${templateId}`);

  await call("DELETE", `/v1/pods/${running}`);
  const refused = await until(refusedOf(call), templated.id);
  assert.deepEqual([refused.desiredStatus, refused.status], ["TERMINATED", "TERMINATED"]);
  assert.match(refused.queued.refused.reason, /"templateId" must be one of your templates/);
  const why = (await call("GET", `/v1/why/${templated.id}`)).json;
  assert.deepEqual(why.code, "pod_refused");
  const [event] = (await call("GET", `/v1/pods/${templated.id}/events`)).json;
  assert.equal(event.event, "queue_refused");
  assert.equal((await call("DELETE", `/v1/pods/${templated.id}`)).status, 204);
});

test("the line of a member who is removed is handed over or ends", async (t) => {
  const service = await simulatedService(t, { env });
  const { call } = service;
  const [running] = await fill(call);
  const people = [];
  for (const name of ["ann", "bob", "cat"]) {
    people.push(await join(service, "member", name, `${name}@example.org`));
  }
  const [ann, bob, cat] = people;
  const anns = await enqueue(ann!.call, onGpu);
  const bobs = await enqueue(bob!.call, onGpu);
  await call("DELETE", `/v1/members/${ann!.member.id}`);
  await call("DELETE", `/v1/members/${bob!.member.id}?handOverTo=${cat!.member.id}`);
  assert.match((await reader(call)(anns.id)).queued.refused.reason, /ann was removed/);
  assert.equal((await reader(cat!.call)(bobs.id)).createdBy.id, cat!.member.id);
  await call("DELETE", `/v1/pods/${running}`);
  await until(createdOf(cat!.call), bobs.id);
});

/** What the store has of a request, as another catalog or other machines would have left it. */
async function changeStored(
  { service: { store } }: TestService,
  id: string,
  edit: (stored: { driver: string; spec: object; request: object }) => object,
) {
  const found = await store.read(
    row<{ request: string }>,
    "select request from queued_pod where id = ?",
    id,
  );
  const text = JSON.stringify(edit(JSON.parse(found!.request)));
  await store.write(change, "update queued_pod set request = ? where id = ?", text, id);
  store.notifier.notify(topic.queuedPods);
}

test("a request for a CPU flavor that the catalog lost leaves the line, and the others go on", async (t) => {
  const service = await simulatedService(t, { env, replicas: null });
  const { call } = service;
  const [running] = await fill(call);
  const lost = await enqueue(call, onGpu);
  const other = await enqueue(call, onGpu);
  const unoffered = { computeType: "CPU", cpuFlavorIds: ["cpu1x"], vcpuCount: 2 };
  await changeStored(service, lost.id, ({ spec, request, ...rest }) => {
    return { ...rest, spec: { ...spec, ...unoffered }, request: { ...request, ...unoffered } };
  });
  const pod = await until(refusedOf(call), lost.id);
  assert.match(pod.queued.refused.reason, /cpu1x/);
  assert.deepEqual([pod.vcpuCount, pod.memoryInGb], [2, undefined]);
  assert.equal((await call("GET", "/v1/pods")).status, 200);
  await call("DELETE", `/v1/pods/${running}`);
  await until(createdOf(call), other.id);
});

test("a request waits while no machine that answers has its driver", async (t) => {
  const service = await simulatedService(t, { env, replicas: null });
  const { call } = service;
  const [running] = await fill(call);
  const { id } = await enqueue(call, onGpu);
  await changeStored(service, id, (stored) => ({ ...stored, driver: "kubernetes" }));
  await call("DELETE", `/v1/pods/${running}`);
  const { json: behind } = await call("POST", "/v1/pods", onGpu);
  await call("DELETE", `/v1/pods/${behind.id}`);
  const pod = await reader(call)(id);
  assert.deepEqual([pod.status, pod.queued.waitsFor.code], ["QUEUED", "no_capacity"]);
  await changeStored(service, id, (stored) => ({ ...stored, driver: "simulated" }));
  await until(createdOf(call), id);
});

test("a request that accepts a free GPU type passes one that waits for another type", async (t) => {
  const { call } = await simulatedService(t, { env });
  await fill(call);
  const first = await enqueue(call, onGpu);
  const either = { ...common, gpuTypeIds: ["NVIDIA A40", "NVIDIA L4"], queue };
  const { json } = await call("POST", "/v1/pods", either);
  assert.deepEqual([json.queued, json.gpuTypeId], [undefined, "NVIDIA L4"]);
  const next = await enqueue(call, either);
  assert.equal(next.queued.position, 2);
  await call("DELETE", `/v1/pods/${json.id}`);
  assert.equal((await until(createdOf(call), next.id)).gpuTypeId, "NVIDIA L4");
  assert.equal((await reader(call)(first.id)).queued.position, 1);
});

test("a request waits for a GPU type although a quota rules out another that it accepts", async (t) => {
  const { call } = await simulatedService(t, { env });
  const { id: account } = (await call("GET", "/v1/account")).json;
  const onL4 = { ...common, gpuTypeIds: ["NVIDIA L4"] };
  const { id: running } = (await call("POST", "/v1/pods", onL4)).json;
  await call("PATCH", `/v1/accounts/${account}/quota`, { gpuTypes: { "NVIDIA A40": 0 } });
  const refused = await call("POST", "/v1/pods", { ...onGpu, queue });
  assert.equal(refused.json.code, "quota_exceeded");
  const waiting = await enqueue(call, { ...common, gpuTypeIds: ["NVIDIA A40", "NVIDIA L4"] });
  assert.equal(waiting.queued.waitsFor.code, "no_capacity");
  const behind = await enqueue(call, onL4);
  assert.equal(behind.queued.position, 2);
  await call("DELETE", `/v1/pods/${running}`);
  assert.equal((await until(createdOf(call), waiting.id)).gpuTypeId, "NVIDIA L4");
});
