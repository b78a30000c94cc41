// Tests of what is said before a reservation begins: to its holder, and to the Pods that hold its GPUs.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { TestService } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
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
  ...virtual,
  env: {
    ...virtual.env,
    FREEHOLD_GPUS: '{"NVIDIA A40": 4}',
    FREEHOLD_RESERVATION_LIMITS: ANY_SHARE,
  },
  protocol: { notificationGatherMs: 0, notificationIntervalMs: 0 },
};

test("holder and borrowers receive events half an hour before, and when it begins", async (t) => {
  const service = await simulatedService(t, options);
  const { received, events } = await announced(t, service);
  const ada = await join(service, "dev", "Ada");
  const eve = await join(service, "admin", "Eve");
  const start = async (by: Pick<typeof ada, "call">, more: object) => {
    const { status, json, text } = await by.call("POST", "/v1/pods", { ...POD, ...more });
    assert.equal(status, 201, text);
    await until(podsOf(service).reached, json.id);
    return json.id as string;
  };
  // Ada has one of four, and one is free.
  await start(ada, { name: "own" });
  const spot = await start(eve, { name: "spot", interruptible: true });
  await start(eve, { name: "paid" });
  const now = await advance(service, "1s");
  const at = (minutes: number) => new Date(now + minutes * MINUTE_MS).toISOString();
  const reserve = async (gpuCount: number, from: number, ends: number) => {
    const body = { gpuTypeId: A40, gpuCount, from: at(from), until: at(ends) };
    const { status, text } = await ada.call("POST", "/v1/reservations", body);
    assert.equal(status, 201, text);
  };
  await reserve(3, 60, 120);
  // What is free suffices for this one, so nothing is said of it.
  await reserve(2, 300, 330);

  await advance(service, "28m");
  assert.equal(received().length, 0);
  await advance(service, "4m");
  const all = await events(2);
  const summaryOf = (type: string) =>
    all.filter((each) => each.type === type).map((each) => each.summary);
  assert.equal(all.length, 2, JSON.stringify(all));
  assert.match(
    summaryOf("reservation_short").join(),
    /^The reservation of 3 NVIDIA A40 for Ada begins in .* and is short by 1 of 3: /,
  );
  assert.match(
    summaryOf("gpus_reserved").join(),
    /^Pod spot \(.*\): it may be interrupted in .*, at .*: 3 NVIDIA A40 are reserved for Ada, and not enough are free\.$/,
  );
  const logs = await eve.call("GET", `/v1/pods/${spot}/logs`);
  assert.match(logs.text, /it may be interrupted in/);

  // Without the spot Pod the others are asked, once it begins.
  await service.call("DELETE", `/v1/pods/${spot}`);
  await start(eve, { name: "late" });
  await advance(service, "20m");
  assert.equal(received().length, 2);
  await advance(service, "10m");
  const later = (await events(5)).slice(2);
  const texts = later.map(({ summary }) => summary).sort();
  assert.equal(texts.length, 3, texts.join("\n"));
  assert.match(
    texts[0]!,
    /^Pod late .*: its GPUs are needed now: .* it is not stopped, so stop it/,
  );
  assert.match(texts[1]!, /^Pod paid /);
  assert.match(texts[2]!, /for Ada has begun and is short by 1 of 3/);
  await advance(service, "5h");
  assert.equal(received().length, 5);
});

test("no on-demand Pod is asked for GPUs that the holder's own spot Pod gives up", async (t) => {
  const service = await simulatedService(t, options);
  const { received, events } = await announced(t, service);
  const ada = await join(service, "dev", "Ada");
  const eve = await join(service, "dev", "Eve", "eve@example.org");
  const start = async (by: Pick<typeof ada, "call">, more: object) => {
    const { status, json, text } = await by.call("POST", "/v1/pods", { ...POD, ...more });
    assert.equal(status, 201, text);
    await until(podsOf(service).reached, json.id);
    return json.id as string;
  };
  const paid = await start(eve, { gpuCount: 2 });
  await start(ada, { gpuCount: 2, interruptible: true });
  const now = await advance(service, "1s");
  const at = (minutes: number) => new Date(now + minutes * MINUTE_MS).toISOString();
  const body = { gpuTypeId: A40, gpuCount: 2, from: at(20), until: at(60) };
  const { status, text } = await ada.call("POST", "/v1/reservations", body);
  assert.equal(status, 201, text);
  await advance(service, "5m");
  const [event] = await events(1);
  assert.match(event!.summary, /begins in .* and is short by 2 of 2: /);
  const logs = await eve.call("GET", `/v1/pods/${paid}/logs`);
  assert.doesNotMatch(logs.text, /its GPUs are needed/);
  assert.deepEqual([...new Set(received().map(({ type }) => type))], ["reservation_short"]);
});
