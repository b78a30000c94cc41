// Tests of the calendar feed of reservations, read as a calendar program reads it.

import assert from "node:assert/strict";
import { test } from "node:test";
import ICAL from "ical.js";
import type { TestService } from "../fixtures/service/service.ts";
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

  // A cancelled one is left out, and a member reads the feed of no other.
  assert.equal((await ada.call("DELETE", `/v1/reservations/${own.id}`)).status, 204);
  assert.equal((await eventsAt(url)).length, 2);
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
