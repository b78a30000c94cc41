// Tests of the calendar feed of reservations, read as a calendar program reads it.

import assert from "node:assert/strict";
import { test } from "node:test";
import ICAL from "ical.js";
import type { TestService } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

const A40 = "NVIDIA A40";
const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 4}' };
const ahead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

const subscribe = async ({ call }: Pick<TestService, "call">) => {
  const { status, json, text } = await call("PUT", "/v1/reservation-feed");
  assert.equal(status, 200, text);
  return json.url as string;
};

/** The events that a calendar program shows. */
async function eventsAt(url: string) {
  const answer = await fetch(url);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  assert.equal(answer.headers.get("content-type"), "text/calendar; charset=utf-8");
  for (const line of text.split("\r\n")) {
    assert.ok(Buffer.byteLength(line) <= 75 && !line.includes("\n"), line);
  }
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents("vevent").map((each) => new ICAL.Event(each));
}

test("a calendar program reads reservations from the feed", async (t) => {
  const service = await simulatedService(t, { env });
  const ada = await join(service, "member", "Ada, Countess; of \\ Lovelace");
  const url = await subscribe(ada);
  assert.deepEqual(await eventsAt(url), []);

  const note = `Größe: ${"é, ; \\ 語 ".repeat(12)}\nand a second line`;
  const body = { gpuTypeId: A40, gpuCount: 2, from: ahead(3), until: ahead(5), note };
  const { json: own, text } = await ada.call("POST", "/v1/reservations", body);
  assert.ok(own.id, text);
  const project = { name: "vision", memberIds: [ada.member.id] };
  const { json: vision } = await service.call("POST", "/v1/projects", project);
  const theirs = { gpuTypeId: A40, from: ahead(6), until: ahead(7), projectId: vision.id };
  assert.equal((await ada.call("POST", "/v1/reservations", theirs)).status, 201);
  const whole = { gpuTypeId: A40, from: ahead(8), until: ahead(9) };
  assert.equal((await service.call("POST", "/v1/reservations", whole)).status, 201);

  const events = (await eventsAt(url)).sort((a, b) => a.startDate.compare(b.startDate));
  assert.deepEqual(
    events.map(({ summary }) => summary),
    [
      "2 x NVIDIA A40 for Ada, Countess; of \\ Lovelace",
      "1 x NVIDIA A40 for project vision",
      "1 x NVIDIA A40 for the account",
    ],
  );
  const [first, second] = events;
  assert.equal(first!.uid, `${own.id}@reservations.freehold`);
  assert.equal(first!.description, note);
  assert.equal(second!.description, "Reserved by Ada, Countess; of \\ Lovelace");
  const seconds = (at: string) => Math.floor(Date.parse(at) / 1_000);
  assert.deepEqual(
    [first!.startDate.toUnixTime(), first!.endDate.toUnixTime()],
    [seconds(own.from), seconds(own.until)],
  );
  const { component } = first!;
  assert.equal(component.getFirstPropertyValue("status"), "CONFIRMED");
  assert.equal(first!.sequence, 0);
  assert.equal(String(component.getFirstPropertyValue("dtstamp")).slice(-1), "Z");
});

test("a calendar program learns of a change and of a cancellation, and keeps the event", async (t) => {
  const service = await simulatedService(t, { ...virtual, env: { ...virtual.env, ...env } });
  const url = await subscribe(service);
  const now = await advance(service, "1s");
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
  const body = { gpuTypeId: A40, from: at(30), until: at(32) };
  const { json } = await service.call("POST", "/v1/reservations", body);
  const path = `/v1/reservations/${json.id}`;
  const seconds = (instant: string | number) => Math.floor(new Date(instant).getTime() / 1_000);
  const read = async () => {
    const [event, ...others] = await eventsAt(url);
    assert.equal(others.length, 0);
    const { component, sequence, uid } = event!;
    assert.equal(uid, `${json.id}@reservations.freehold`);
    const [created, stamp, modified] = ["created", "dtstamp", "last-modified"].map((name) =>
      (component.getFirstPropertyValue(name) as ICAL.Time).toUnixTime(),
    );
    assert.deepEqual([created, modified], [seconds(json.createdAt), stamp]);
    return { sequence, stamp, status: component.getFirstPropertyValue("status") };
  };
  /** The event after a call, which stamps it while the call is under way or leaves it as it was. */
  const readAfter = async (method: string, changes?: object) => {
    const before = seconds(await advance(service, "1m"));
    const { status, text } = await service.call(method, path, changes);
    assert.ok(status < 300, text);
    const event = await read();
    return { event, isStamped: event.stamp! >= before };
  };
  const stamp = seconds(json.createdAt);
  assert.deepEqual(await read(), { sequence: 0, stamp, status: "CONFIRMED" });
  const moved = await readAfter("PATCH", { until: at(33) });
  assert.deepEqual([moved.event.sequence, moved.isStamped], [1, true]);
  // The feed shows no labels, and these have the note already.
  const labelled = await readAfter("PATCH", { labels: { team: "vision" }, note: "" });
  assert.deepEqual(labelled, { event: moved.event, isStamped: false });
  const renamed = await readAfter("PATCH", { note: "paper" });
  assert.deepEqual([renamed.event.sequence, renamed.isStamped], [2, true]);
  assert.equal(renamed.event.status, "CONFIRMED");

  const { event: cancelled, isStamped } = await readAfter("DELETE");
  assert.deepEqual([cancelled.sequence, cancelled.status, isStamped], [3, "CANCELLED", true]);
  assert.equal((await service.call("GET", path)).status, 404);
  assert.equal((await service.call("PATCH", path, { note: "x" })).status, 404);
  assert.equal((await service.call("DELETE", path)).status, 404);
  assert.deepEqual((await service.call("GET", "/v1/reservations")).json, []);
  // All GPUs can be reserved again for that time.
  const others = { ...body, gpuCount: 4 * service.replicas.length };
  const { status, text, json: next } = await service.call("POST", "/v1/reservations", others);
  assert.equal(status, 201, text);
  assert.equal((await service.call("DELETE", `/v1/reservations/${next.id}`)).status, 204);
  assert.equal((await eventsAt(url)).length, 2);
  await advance(service, "29d");
  assert.equal((await eventsAt(url)).length, 2);
  await advance(service, "2d");
  assert.deepEqual(await eventsAt(url), []);
});

test("what ends with its project or member is cancelled in calendars", async (t) => {
  const service = await simulatedService(t, { env });
  const url = await subscribe(service);
  const ada = await join(service, "dev", "Ada");
  const project = { name: "vision", memberIds: [ada.member.id] };
  const { json: vision } = await service.call("POST", "/v1/projects", project);
  const body = { gpuTypeId: A40, from: ahead(6), until: ahead(7) };
  for (const more of [{}, { projectId: vision.id }]) {
    const { status, text } = await ada.call("POST", "/v1/reservations", { ...body, ...more });
    assert.equal(status, 201, text);
  }
  await service.call("DELETE", `/v1/members/${ada.member.id}`);
  await service.call("DELETE", `/v1/projects/${vision.id}`);
  const events = await eventsAt(url);
  const shown = events.map(({ summary, component }) => [
    summary,
    component.getFirstPropertyValue("status"),
  ]);
  assert.deepEqual(shown.sort(), [
    ["1 x NVIDIA A40 for Ada", "CANCELLED"],
    ["1 x NVIDIA A40 for a deleted project", "CANCELLED"],
  ]);
});

test("a feed is read again only if it changed", async (t) => {
  const service = await simulatedService(t, { env });
  const url = await subscribe(service);
  const { headers } = await fetch(url);
  const etag = headers.get("etag")!;
  const again = (tags: string) => fetch(url, { headers: { "if-none-match": tags } });
  assert.equal((await again(etag)).status, 304);
  assert.equal((await again(`"other", W/${etag}`)).status, 304);
  await service.call("POST", "/v1/reservations", { gpuTypeId: A40, until: ahead(1) });
  assert.equal((await again(etag)).status, 200);
});

test("a feed's address ends when it is replaced or revoked, or its member is removed", async (t) => {
  const service = await simulatedService(t, { env });
  const ada = await join(service, "basic", "Ada");
  const statusOf = async (url: string) => (await fetch(url)).status;
  const path = "/v1/reservation-feed";
  assert.equal((await ada.call("GET", path)).json.code, "reservation_feed_not_found");
  assert.equal((await ada.call("DELETE", path)).status, 404);

  const [theirs, first] = [await subscribe(service), await subscribe(ada)];
  const { json } = await ada.call("GET", path);
  assert.deepEqual(Object.keys(json), ["createdAt"]);
  const second = await subscribe(ada);
  assert.deepEqual([await statusOf(first), await statusOf(second)], [404, 200]);
  assert.equal((await ada.call("DELETE", path)).status, 204);
  assert.equal(await statusOf(second), 404);

  const third = await subscribe(ada);
  assert.equal((await service.call("DELETE", `/v1/members/${ada.member.id}`)).status, 204);
  assert.deepEqual([await statusOf(third), await statusOf(theirs)], [404, 200]);
  assert.equal(await statusOf(theirs.slice(0, -1)), 404);
  assert.equal(await statusOf(theirs.replace(/\?.*/, "")), 404);

  // Its token is no key.
  const token = new URL(theirs).searchParams.get("token");
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await service.call("GET", "/v1/reservations", undefined, headers)).status, 401);
});

test("the feed shows an account its own, and ends with the account", async (t) => {
  const service = await simulatedService(t, { env });
  await service.call("POST", "/v1/reservations", { gpuTypeId: A40, until: ahead(1) });
  const { json } = await service.call("POST", "/v1/accounts", { name: "other" });
  const { key } = (await service.call("POST", `/v1/accounts/${json.id}/keys`, { name: "k" })).json;
  const call: TestService["call"] = (method, route, body) =>
    service.call(method, route, body, { authorization: `Bearer ${key}` });
  const url = await subscribe({ call });
  assert.deepEqual(await eventsAt(url), []);
  await service.call("PATCH", `/v1/accounts/${json.id}`, { disabled: true });
  assert.equal((await fetch(url)).status, 404);
});
