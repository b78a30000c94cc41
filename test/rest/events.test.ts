// What changed, told as it changes, to whom it belongs.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { readEvents, type ServerEvent } from "../event-stream.ts";
import { startHouse, type TestHouse } from "../house.ts";
import { missing } from "../postgres/database.ts";
import { makeStranger } from "../stranger.ts";

const wanted = { imageName: "i", driver: "fake" };

async function follow(t: TestContext, house: TestHouse, headers?: Record<string, string>, n = 0) {
  const { origin } = house.replicas[n]!;
  const own = headers ?? { authorization: `Bearer ${house.key}` };
  const reader = await readEvents(`${origin}/v1/events`, own);
  t.after(() => reader.close());
  assert.deepEqual([reader.status, reader.type], [200, "text/event-stream"]);
  assert.equal((await reader.next())?.event, "again", "whoever begins reads everything");
  return reader;
}

const names = (kind: string, id: string) => (event: ServerEvent) =>
  event.event === "change" && event.data[kind]?.includes(id);

test("what is made, moved and deleted is named by kind and id", async (t) => {
  const house = await startHouse(t);
  const events = await follow(t, house);
  const { json: pod } = await house.call("POST", "/v1/pods", wanted);
  await events.until(names("pod", pod.id));
  await house.call("POST", `/v1/pods/${pod.id}/stop`);
  await events.until(names("pod", pod.id));
  const { json: secret } = await house.call("POST", "/v1/secrets", { name: "s", value: "v" });
  await events.until(names("secret", secret.id));
  const { json: template } = await house.call("POST", "/v1/templates", {
    name: "t",
    imageName: "i",
  });
  await events.until(names("template", template.id));
  await house.call("DELETE", `/v1/templates/${template.id}`);
  await events.until(names("template", template.id));
  const { json: key } = await house.call("POST", "/v1/keys", { name: "k" });
  await events.until(names("key", key.id));
  const place = { name: "v", size: 1, dataCenterId: "EU-RO-1" };
  const { json: volume } = await house.call("POST", "/v1/networkvolumes", place);
  await events.until(names("networkVolume", volume.id));
});

test("jobs are named by their endpoint, workers by themselves", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const events = await follow(t, house);
  const { id } = await house.makeWorker(endpoint);
  await events.until(names("worker", id));
  await house.call("POST", `/v2/${endpoint}/run`, { input: {} });
  await events.until(names("job", endpoint));
});

test("many of a kind are told as all of it", async (t) => {
  const house = await startHouse(t);
  const events = await follow(t, house);
  const made = Array.from({ length: 150 }, (_, n) =>
    house.call("POST", "/v1/secrets", { name: `s${n}`, value: "v" }),
  );
  await Promise.all(made);
  await house.call("POST", "/v1/keys", { name: "last" });
  const seen = await events.until(({ data }) => data.key !== undefined);
  const told = seen.flatMap(({ data }) => (data.secret === undefined ? [] : [data.secret]));
  assert.ok(told.every((ids) => ids === null || ids.length <= 100));
  assert.ok(told.includes(null) || told.flat().length === 150);
});

test("another account hears of its own only", async (t) => {
  const house = await startHouse(t);
  const stranger = await makeStranger(house);
  const events = await follow(t, house, stranger);
  const { json: pod } = await house.call("POST", "/v1/pods", wanted);
  const own = await house.call("POST", "/v1/secrets", { name: "s", value: "v" }, stranger);
  const seen = await events.until(names("secret", own.json.id));
  assert.ok(!JSON.stringify(seen).includes(pod.id));
});

test("it ends with the key that asked", async (t) => {
  const house = await startHouse(t);
  const { json: key } = await house.call("POST", "/v1/keys", { name: "k" });
  const events = await follow(t, house, { authorization: `Bearer ${key.key}` });
  await house.call("DELETE", `/v1/keys/${key.id}`);
  while ((await events.next()) !== null);
});

test("what another replica does is told here", { skip: missing }, async (t) => {
  const house = await startHouse(t, { replicas: 2 });
  const events = await follow(t, house, undefined, 1);
  const [first] = house.replicas;
  const headers = { authorization: `Bearer ${house.key}`, "content-type": "application/json" };
  const body = JSON.stringify({ name: "s", value: "v" });
  const made = await fetch(`${first!.origin}/v1/secrets`, { method: "POST", headers, body });
  const { id } = (await made.json()) as { id: string };
  await events.until(names("secret", id));
});
