// Tests that a stream, such as a log or an account's events, ends when its reader loses the
// permission to read it.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type EventReader, readEvents } from "../fixtures/event-stream.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const POD = { driver: "simulated", imageName: "i", computeType: "CPU", volumeInGb: 0 };

async function fixture(t: TestContext) {
  const service = await simulatedService(t);
  const { json: pod } = await service.call("POST", "/v1/pods", POD);
  await until(podsOf(service).reached, pod.id);
  const log = `/v1/pods/${pod.id}/logs?follow=true`;
  const read = async (path: string, key: string) => {
    const reader = await readEvents(service.origin + path, { authorization: `Bearer ${key}` });
    t.after(() => reader.close());
    assert.equal(reader.status, 200);
    await reader.next();
    return reader;
  };
  const both = async (key: string) => [await read(log, key), await read("/v1/events", key)];
  const member = async (role: string) => {
    const { json: invited } = await service.call("POST", "/v1/invitations", {
      email: `${role}@example.org`,
      role,
    });
    const { token } = invited;
    return (await service.call("POST", "/v1/invitations/accept", { token })).json;
  };
  return { service, both, member };
}

/** The stream must end; one that does not fails the test instead of blocking it. */
async function ended(reader: EventReader): Promise<void> {
  let isEnded = false;
  const drain = async () => {
    while ((await reader.next()) !== null);
    isEnded = true;
  };
  void drain();
  await until(() => isEnded);
}

const allEnded = (readers: EventReader[]) => Promise.all(readers.map(ended));

test("log and event streams end when their key is revoked, disabled or restricted", async (t) => {
  const { service, both } = await fixture(t);
  const [stays] = await both(service.key);
  for (const change of [
    (path: string) => service.call("DELETE", path),
    (path: string) => service.call("PATCH", path, { disabled: true }),
    (path: string) =>
      service.call("PATCH", path, {
        permissions: { rest: "none", graphql: "none", queue: "read" },
      }),
  ]) {
    const { json: key } = await service.call("POST", "/v1/keys", { name: "reader" });
    const readers = await both(key.key);
    const { status, text } = await change(`/v1/keys/${key.id}`);
    assert.ok(status < 300, text);
    await allEnded(readers);
  }
  const next = stays!.next();
  const { json } = await service.call("GET", "/v1/pods");
  await service.call("POST", `/v1/pods/${json[0].id}/restart`);
  assert.notEqual(await next, null);
});

test("log and event streams end when the member's role changes or the member is removed", async (t) => {
  const { service, both, member } = await fixture(t);
  const admin = await member("admin");
  const readers = await both(admin.key);
  await service.call("PATCH", `/v1/members/${admin.member.id}`, { role: "billing" });
  await allEnded(readers);
  const dev = await member("dev");
  const more = await both(dev.key);
  await service.call("DELETE", `/v1/members/${dev.member.id}`);
  await allEnded(more);
});
