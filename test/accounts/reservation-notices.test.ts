// Tests of what is said before a reservation begins: to its holder, and to the Pods that hold its GPUs.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";
import { startReceiver } from "../webhook/receiver.ts";
import { join } from "./join.ts";

const ANY_SHARE = '{"memberPercent": "off"}';
const A40 = "NVIDIA A40";
const POD = { driver: "simulated", imageName: "i", gpuTypeIds: [A40], volumeInGb: 0 };
const MINUTE_MS = 60_000;

async function announced(t: TestContext, service: Pick<TestService, "call">) {
  const receiver = await startReceiver(t);
  const rule = {
    name: "reservations",
    events: ["gpus_reserved", "reservation_short"],
    channel: { type: "webhook", url: receiver.url },
  };
  assert.equal((await service.call("POST", "/v1/notification-rules", rule)).status, 201);
  const received = (): { type: string; summary: string }[] =>
    receiver.received.flatMap(({ body }) => JSON.parse(body).data.events);
  const events = async (count: number) => {
    await until(() => received().length >= count);
    return received();
  };
  return { received, events };
}

const options = {
  env: { FREEHOLD_GPUS: '{"NVIDIA A40": 4}', FREEHOLD_RESERVATION_LIMITS: ANY_SHARE },
  protocol: { notificationGatherMs: 0, notificationIntervalMs: 0 },
};
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString();

/** Each replica has a machine. */
const gpusOf = ({ replicas }: Pick<TestService, "replicas">) => 4 * replicas.length;

function starter(service: TestService) {
  return async (by: Pick<TestService, "call">, more: object): Promise<string> => {
    const { status, json, text } = await by.call("POST", "/v1/pods", { ...POD, ...more });
    assert.equal(status, 201, text);
    await until(podsOf(service).reached, json.id);
    return json.id;
  };
}

test("holder and borrowers receive events half an hour before, and when it begins", async (t) => {
  const service = await simulatedService(t, options);
  const total = gpusOf(service);
  const { received, events } = await announced(t, service);
  const ada = await join(service, "dev", "Ada");
  const eve = await join(service, "admin", "Eve");
  const start = starter(service);
  // Ada has one, two are Eve's, and the others are free.
  await start(ada, { name: "own" });
  const spot = await start(eve, { name: "spot", interruptible: true });
  await start(eve, { name: "paid" });
  const reserve = async (gpuCount: number, from: number, ends: number) => {
    const body = { gpuTypeId: A40, gpuCount, from: inMinutes(from), until: inMinutes(ends) };
    const { status, text, json } = await ada.call("POST", "/v1/reservations", body);
    assert.equal(status, 201, text);
    return json.id as string;
  };
  // What is free suffices for this one, so nothing is said of it.
  const other = await reserve(2, 10, 20);
  const id = await reserve(total - 1, 40, 90);
  const begin = async (minutes: number) => {
    const path = `/v1/reservations/${id}`;
    const { status, text } = await ada.call("PATCH", path, { from: inMinutes(minutes) });
    assert.equal(status, 200, text);
  };
  const summaries = async (from: number, count: number) =>
    (await events(from + count))
      .slice(from)
      .map(({ summary }) => summary)
      .sort();

  await begin(25);
  const [forPod, forHolder] = await summaries(0, 2);
  const short = `is short by 1 of ${total - 1}: `;
  const reservation = `The reservation of ${total - 1} NVIDIA A40 for Ada`;
  assert.match(forHolder!, new RegExp(`^${reservation} begins in 2[45] min .*${short}`));
  assert.match(
    forPod!,
    new RegExp(
      `^Pod spot .*: it may be interrupted in .*, at .*: ${total - 1} NVIDIA A40 are reserved for Ada, and not enough are free\\.$`,
    ),
  );
  const logs = await eve.call("GET", `/v1/pods/${spot}/logs`);
  assert.match(logs.text, /it may be interrupted in/);

  // Without the spot Pod the others are asked, again when it begins.
  await service.call("DELETE", `/v1/pods/${spot}`);
  await start(eve, { name: "late" });
  await ada.call("DELETE", `/v1/reservations/${other}`);
  await begin(0.1);
  const soon = await summaries(2, 3);
  assert.match(soon[0]!, /^Pod late .*: its GPUs are needed in .* s, at /);
  assert.match(soon[1]!, /^Pod paid /);
  assert.match(soon[2]!, new RegExp(`^${reservation} begins in .* s and ${short}`));
  const now = await summaries(5, 3);
  assert.match(now[0]!, /^Pod late .*: its GPUs are needed now: .* it is not stopped, so stop it/);
  assert.match(now[1]!, /^Pod paid /);
  assert.match(now[2]!, new RegExp(`^${reservation} has begun and ${short}`));
  assert.equal(received().length, 8);
});

test("no on-demand Pod is asked for GPUs that the holder's own spot Pod gives up", async (t) => {
  const service = await simulatedService(t, options);
  const total = gpusOf(service);
  const { received, events } = await announced(t, service);
  const ada = await join(service, "dev", "Ada");
  const eve = await join(service, "dev", "Eve", "eve@example.org");
  const start = starter(service);
  const paid: string[] = [];
  for (let gpus = 0; gpus < total - 2; gpus += 2) paid.push(await start(eve, { gpuCount: 2 }));
  await start(ada, { gpuCount: 2, interruptible: true });
  const body = { gpuTypeId: A40, gpuCount: 2, from: inMinutes(20), until: inMinutes(60) };
  const { status, text } = await ada.call("POST", "/v1/reservations", body);
  assert.equal(status, 201, text);
  const [event] = await events(1);
  assert.match(event!.summary, /begins in .* and is short by 2 of 2: /);
  for (const id of paid) {
    const logs = await eve.call("GET", `/v1/pods/${id}/logs`);
    assert.doesNotMatch(logs.text, /its GPUs are needed/);
  }
  assert.deepEqual([...new Set(received().map(({ type }) => type))], ["reservation_short"]);
});
