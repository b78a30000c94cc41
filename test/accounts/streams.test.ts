// What goes on for long, a log or the events of an account, ends when its reader may not read it any more:
// whoever stays, stays.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type EventReader, readEvents } from "../event-stream.ts";
import { fakeHouse, podsOf, until } from "../pods/stage.ts";

const POD = { driver: "fake", imageName: "i", computeType: "CPU", volumeInGb: 0 };

async function stage(t: TestContext) {
  const house = await fakeHouse(t);
  const { json: pod } = await house.call("POST", "/v1/pods", POD);
  await until(podsOf(house).reached, pod.id);
  const log = `/v1/pods/${pod.id}/logs?follow=true`;
  const read = async (path: string, key: string) => {
    const reader = await readEvents(house.origin + path, { authorization: `Bearer ${key}` });
    t.after(() => reader.close());
    assert.equal(reader.status, 200);
    await reader.next();
    return reader;
  };
  const both = async (key: string) => [await read(log, key), await read("/v1/events", key)];
  const member = async (role: string) => {
    const { json: invited } = await house.call("POST", "/v1/invitations", {
      email: `${role}@example.org`,
      role,
    });
    const { token } = invited;
    return (await house.call("POST", "/v1/invitations/accept", { token })).json;
  };
  return { house, both, member };
}

/** Whatever is still told, it comes to an end; one that does not is a failure, and no wait for ever. */
async function ended(reader: EventReader): Promise<void> {
  const tooLong = setTimeout(() => reader.close(), 30_000);
  try {
    while ((await reader.next()) !== null);
  } finally {
    clearTimeout(tooLong);
  }
}

const allEnded = (readers: EventReader[]) => Promise.all(readers.map(ended));

test("a log and events end with their key, or when it is disabled or opens less", async (t) => {
  const { house, both } = await stage(t);
  const [stays] = await both(house.key);
  for (const change of [
    (path: string) => house.call("DELETE", path),
    (path: string) => house.call("PATCH", path, { disabled: true }),
    (path: string) =>
      house.call("PATCH", path, { permissions: { rest: "none", graphql: "none", queue: "read" } }),
  ]) {
    const { json: key } = await house.call("POST", "/v1/keys", { name: "reader" });
    const readers = await both(key.key);
    const { status, text } = await change(`/v1/keys/${key.id}`);
    assert.ok(status < 300, text);
    await allEnded(readers);
  }
  const next = stays!.next();
  const { json } = await house.call("GET", "/v1/pods");
  await house.call("POST", `/v1/pods/${json[0].id}/restart`);
  assert.notEqual(await next, null);
});

test("they end with a member's role, and with the member", async (t) => {
  const { house, both, member } = await stage(t);
  const admin = await member("admin");
  const readers = await both(admin.key);
  await house.call("PATCH", `/v1/members/${admin.member.id}`, { role: "billing" });
  await allEnded(readers);
  const dev = await member("dev");
  const more = await both(dev.key);
  await house.call("DELETE", `/v1/members/${dev.member.id}`);
  await allEnded(more);
});
