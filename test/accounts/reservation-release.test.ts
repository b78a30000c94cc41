// Tests of reservations that are not used: they are released after a warning, which every interface shows.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import ICAL from "ical.js";
import { freehold } from "../cli/command.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";
import { startReceiver } from "../webhook/receiver.ts";
import { join } from "./join.ts";

const A40 = "NVIDIA A40";
const POD = { driver: "simulated", imageName: "i", gpuTypeIds: [A40], volumeInGb: 0 };
const HOUR_MS = 3_600_000;

const options = (limits: object = {}) => ({
  ...virtual,
  env: {
    ...virtual.env,
    FREEHOLD_GPUS: '{"NVIDIA A40": 4}',
    FREEHOLD_RESERVATION_LIMITS: JSON.stringify(limits),
  },
  protocol: { notificationGatherMs: 0, notificationIntervalMs: 0 },
});

type Caller = Pick<TestService, "call">;

async function eventsOf(t: TestContext, service: Caller) {
  const receiver = await startReceiver(t);
  const rule = {
    name: "reservations",
    events: ["reservation_unused", "reservation_released"],
    channel: { type: "webhook", url: receiver.url },
  };
  assert.equal((await service.call("POST", "/v1/notification-rules", rule)).status, 201);
  return (): { type: string; summary: string; details: { releasesAt: string } }[] =>
    receiver.received.flatMap(({ body }) => JSON.parse(body).data.events);
}

async function reserve(by: Caller, now: number, more: object = {}): Promise<string> {
  const instant = (hours: number) => new Date(now + hours * HOUR_MS).toISOString();
  const body = { gpuTypeId: A40, gpuCount: 2, from: instant(0), until: instant(10), ...more };
  const { status, json, text } = await by.call("POST", "/v1/reservations", body);
  assert.equal(status, 201, text);
  return json.id;
}

test("a reservation that is not used is released after an hour, and half an hour before a warning comes", async (t) => {
  const service = await simulatedService(t, options());
  const events = await eventsOf(t, service);
  const ada = await join(service, "dev", "Ada");
  const eve = await join(service, "dev", "Eve", "eve@example.org");
  const { json: feed } = await ada.call("PUT", "/v1/reservation-feed");
  const now = await advance(service, "1s");
  const id = await reserve(ada, now);
  const read = async () => (await ada.call("GET", `/v1/reservations/${id}`)).json;

  await advance(service, "29m");
  assert.deepEqual(events(), []);
  await advance(service, "2m");
  await until(() => events().length === 1);
  const [warning] = events();
  assert.equal(warning!.type, "reservation_unused");
  assert.match(
    warning!.summary,
    /^The reservation of 2 NVIDIA A40 for Ada until .* has not been used since .* It is released in (?:29|30) min.*, unless something starts on its GPUs or it is changed\.$/,
  );
  const { releasesAt, active } = await read();
  assert.equal(active, true);
  assert.equal(releasesAt, warning!.details.releasesAt);
  assert.ok(Math.abs(Date.parse(releasesAt) - now - HOUR_MS) < 60_000, releasesAt);

  await advance(service, "31m");
  await until(() => events().length === 2);
  const [, released] = events();
  assert.equal(released!.type, "reservation_released");
  assert.match(released!.summary, /for Ada until .* was released: it was not used since /);
  const after = await read();
  assert.deepEqual([after.active, after.releasesAt, after.use], [false, undefined, undefined]);
  assert.ok(after.releasedAt >= releasesAt, after.releasedAt);
  const audit = await service.call("GET", "/v1/audit?operation=releaseReservation");
  assert.equal(audit.json[0].resourceId, id);
  const calendar = new ICAL.Component(ICAL.parse(await (await fetch(feed.url)).text()));
  const [shown, ...others] = calendar.getAllSubcomponents("vevent");
  assert.equal(others.length, 0);
  assert.equal(shown!.getFirstPropertyValue("status"), "CANCELLED");
  const cli = { env: { FREEHOLD_URL: service.origin, FREEHOLD_KEY: ada.key } };
  assert.match((await freehold(["reservations"], cli)).stdout, /released .*: not used/);

  // Its GPUs are free for others, and it is over.
  const all = await eve.call("POST", "/v1/pods", { ...POD, gpuCount: 4 });
  assert.equal(all.status, 201, all.text);
  const changed = await ada.call("PATCH", `/v1/reservations/${id}`, { note: "again" });
  assert.equal(changed.status, 400);
  assert.match(changed.text, /was released because it was not used; create another one/);
  assert.equal((await ada.call("DELETE", `/v1/reservations/${id}`)).status, 204);
  assert.equal((await ada.call("GET", `/v1/reservations/${id}`)).status, 404);
});

test("use, a change and a lack of GPUs keep a reservation, and its time begins again", async (t) => {
  const service = await simulatedService(t, options({ unusedMinutes: 6 }));
  const events = await eventsOf(t, service);
  const ada = await join(service, "dev", "Ada");
  const eve = await join(service, "admin", "Eve", "eve@example.org");
  const start = async (by: Caller, more: object) => {
    const { status, json, text } = await by.call("POST", "/v1/pods", { ...POD, ...more });
    assert.equal(status, 201, text);
    await until(podsOf(service).reached, json.id);
    return json.id as string;
  };
  // Others hold every GPU when it begins.
  const theirs = await start(eve, { gpuCount: 4 });
  const now = await advance(service, "1s");
  const id = await reserve(ada, now);
  await advance(service, "12m");
  assert.deepEqual(events(), []);
  await eve.call("DELETE", `/v1/pods/${theirs}`);
  await advance(service, "4m");
  await until(() => events().length === 1);
  const note = await ada.call("PATCH", `/v1/reservations/${id}`, { note: "soon" });
  assert.deepEqual([note.status, note.json.releasesAt], [200, undefined], note.text);
  await advance(service, "4m");
  await until(() => events().length === 2);
  // A spot Pod borrows, and one on demand uses.
  await start(ada, { interruptible: true });
  const own = await start(ada, {});
  await advance(service, "8m");
  assert.equal((await ada.call("GET", `/v1/reservations/${id}`)).json.releasesAt, undefined);
  assert.equal(events().length, 2);
  await ada.call("DELETE", `/v1/pods/${own}`);
  await advance(service, "8m");
  await until(() => events().length === 4);
  assert.deepEqual(
    events().map(({ type }) => type),
    ["reservation_unused", "reservation_unused", "reservation_unused", "reservation_released"],
  );
});

test("a reservation is not released while its holder waits in line for GPUs that others still hold", async (t) => {
  const service = await simulatedService(t, options({ unusedMinutes: 6 }));
  const events = await eventsOf(t, service);
  const ada = await join(service, "dev", "Ada");
  const eve = await join(service, "admin", "Eve", "eve@example.org");
  const theirs = await eve.call("POST", "/v1/pods", { ...POD, gpuCount: 3 });
  assert.equal(theirs.status, 201, theirs.text);
  await until(podsOf(service).reached, theirs.json.id);
  const now = await advance(service, "1s");
  // One of the two GPUs is free, and Ada needs both.
  const id = await reserve(ada, now);
  const queued = await ada.call("POST", "/v1/pods", { ...POD, gpuCount: 2, queue: true });
  assert.equal(queued.status, 201, queued.text);
  await advance(service, "20m");
  const { json } = await ada.call("GET", `/v1/reservations/${id}`);
  assert.deepEqual([json.active, json.use.free, json.releasesAt], [true, 1, undefined]);
  assert.deepEqual(events(), []);
  await eve.call("DELETE", `/v1/pods/${theirs.json.id}`);
  await until(podsOf(service).reached, queued.json.id);
  assert.equal((await ada.call("GET", `/v1/reservations/${id}`)).json.use.used, 2);
});

test("the operator sets the time without use, or switches the release off", async (t) => {
  for (const [unusedMinutes, span, isReleased] of [
    [5, "7m", true],
    ["off", "62m", false],
  ] as const) {
    const service = await simulatedService(t, options({ unusedMinutes }));
    const now = await advance(service, "1s");
    const id = await reserve(service, now);
    await advance(service, span);
    const { json } = await service.call("GET", `/v1/reservations/${id}`);
    assert.equal(json.releasedAt !== undefined, isReleased, JSON.stringify(json));
    assert.equal(json.active, !isReleased);
  }
});
