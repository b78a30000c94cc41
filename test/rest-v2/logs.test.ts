// Log streams of REST v2: where they begin, and that they continue after a restart of the service.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readEvents } from "../fixtures/event-stream.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const stream = (service: TestService, id: string, query = "", headers = {}) =>
  readEvents(`${service.origin}/v2/pods/${id}/logs${query}`, {
    authorization: `Bearer ${service.key}`,
    ...headers,
  });

async function makePod(service: TestService): Promise<string> {
  const { json } = await service.call("POST", "/v1/pods", { driver: "simulated", imageName: "a" });
  await until(podsOf(service).reached, json.id);
  return json.id;
}

const isRunning = ({ data }: { data: { line: string } }) =>
  data.line.startsWith("the container runs");

test("a stream begins with the newest lines and continues with new ones", async (t) => {
  const service = await simulatedService(t);
  const id = await makePod(service);
  const reader = await stream(service, id);
  assert.deepEqual([reader.status, reader.type], [200, "text/event-stream"]);
  const events = await reader.until(isRunning);
  const sources = new Set(events.map(({ data }) => data.source));
  assert.ok(sources.has("system"));
  for (const { id, event, data } of events) {
    assert.ok(id);
    assert.equal(event, "message");
    assert.deepEqual(Object.keys(data), ["source", "line", "ts"]);
    assert.match(data.ts, /^\d{4}-.*Z$/);
  }
  await service.call("POST", `/v2/pods/${id}/action`, { action: "restart" });
  await reader.until(({ data }) => data.line.startsWith("a client restarts it"));
  reader.close();
  const none = await stream(service, id, "?tail=0&source=system");
  await service.call("POST", `/v2/pods/${id}/action`, { action: "terminate" });
  const first = await none.next();
  assert.doesNotMatch(first!.data.line, /^created/);
  none.close();
});

test("after a restart of the service, Last-Event-ID loses and repeats nothing", async (t) => {
  const service = await simulatedService(t);
  const id = await makePod(service);
  const reader = await stream(service, id, "?source=system");
  const before = await reader.until(isRunning);
  reader.close();
  const cut = before[0]!;
  await service.stop();
  const again = await simulatedService(t, { dataFolder: service.dataFolder });
  const all = await stream(again, id, "?source=system&since=2000-01-01T00:00:00Z");
  const known = await all.until(({ id }) => id === before.at(-1)!.id);
  assert.deepEqual(known, before);
  all.close();
  const rest = await stream(again, id, "?source=system&tail=0", { "last-event-id": cut.id! });
  const continued = await rest.until(({ id }) => id === before.at(-1)!.id);
  assert.deepEqual(continued, before.slice(1));
  rest.close();
});

test("what is no query of a stream is 422", async (t) => {
  const service = await simulatedService(t);
  const id = await makePod(service);
  for (const [query, path] of [
    ["tail=5001", "tail"],
    ["source=both", "source"],
    ["since=yesterday", "since"],
  ]) {
    const { status, json } = await service.call("GET", `/v2/pods/${id}/logs?${query}`);
    assert.equal(status, 422, query);
    assert.ok(json.errors[0].startsWith(`$.${path}: `));
  }
  const headers = { "last-event-id": "nothing" };
  const { status } = await service.call("GET", `/v2/pods/${id}/logs`, undefined, headers);
  assert.equal(status, 422);
});
