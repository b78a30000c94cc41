// Tests of the watch cache against a scripted API server: pages, resumption, expired versions, dead connections. The
// tests on a real cluster are in test/kubernetes.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { until } from "../../../../test/fixtures/until.ts";
import { VirtualClock } from "../../../base/clock.ts";
import { DriverUnavailable } from "../../driver.ts";
import { ApiClient } from "./api-client.ts";
import type { KubernetesObject } from "./objects.ts";
import { WatchCache } from "./watch-cache.ts";

type Handler = (query: URLSearchParams, response: ServerResponse) => void;

const object = (name: string, resourceVersion: string): KubernetesObject => ({
  metadata: { name, namespace: "n", uid: name, resourceVersion },
});

const list =
  (version: string, names: string[], next?: string): Handler =>
  (_, response) =>
    response.end(
      JSON.stringify({
        metadata: { resourceVersion: version, ...(next && { continue: next }) },
        items: names.map((name) => object(name, `${name}-1`)),
      }),
    );

const refuse =
  (status: number): Handler =>
  (_, response) => {
    response.statusCode = status;
    response.end(JSON.stringify({ reason: "Expired", message: "too old resource version" }));
  };

/** Writes events and keeps the watch open. */
const watch =
  (...events: [type: string, object: object][]): Handler =>
  (_, response) => {
    response.flushHeaders();
    for (const [type, each] of events)
      response.write(`${JSON.stringify({ type, object: each })}\n`);
  };

/** Answers requests one after another, each by the next handler; later requests wait. */
async function serve(t: TestContext, ...script: Handler[]) {
  const queries: Record<string, string>[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const { searchParams } = new URL(request.url!, "http://localhost");
    queries.push(Object.fromEntries(searchParams));
    script.shift()?.(searchParams, response);
  };
  const server = createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  const clock = new VirtualClock();
  const client = new ApiClient(
    {
      context: "",
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ca: null,
      serverName: null,
      certificate: null,
      token: null,
    },
    clock,
  );
  const cache = new WatchCache({
    client,
    clock,
    path: "/api/v1/namespaces/n/things",
    select: ({ metadata: { name, resourceVersion } }: KubernetesObject) => ({
      name,
      resourceVersion,
    }),
  });
  const changes: string[] = [];
  cache.onChange((key, current) => changes.push(`${current ? "+" : "-"}${key}`));
  t.after(async () => {
    await cache.close();
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return { cache, clock, queries, changes, server };
}

/** Lets virtual time pass until the condition holds, slowly enough that no request times out. */
const passing = (clock: VirtualClock, holds: () => boolean) =>
  until(async () => {
    await clock.advance(250);
    return holds();
  });

const names = (cache: { values(): { name: string }[] }) =>
  cache
    .values()
    .map(({ name }) => name)
    .sort();

test("a list is read in pages and watched from its version", async (t) => {
  const { cache, queries, changes } = await serve(
    t,
    list("7", ["a", "b"], "next"),
    list("7", ["c"]),
    watch(["ADDED", object("d", "8")], ["DELETED", object("a", "9")]),
  );
  assert.throws(() => cache.requireCurrent(), DriverUnavailable);
  await cache.synced();
  cache.requireCurrent();
  await until(() => changes.length === 5);
  assert.deepEqual(names(cache), ["b", "c", "d"]);
  assert.deepEqual(changes, ["+n/a", "+n/b", "+n/c", "+n/d", "-n/a"]);
  assert.deepEqual(
    queries.map(({ limit, continue: next, resourceVersion }) => [limit, next, resourceVersion]),
    [
      ["200", undefined, undefined],
      ["200", "next", undefined],
      [undefined, undefined, "7"],
    ],
  );
  assert.equal(queries[2]!.allowWatchBookmarks, "true");
});

test("a watch that ends is resumed after the last event or bookmark", async (t) => {
  const end: Handler = (query, response) => {
    watch(["MODIFIED", object("a", "8")], ["BOOKMARK", object("", "40")])(query, response);
    response.end();
  };
  const { cache, clock, queries } = await serve(t, list("7", ["a"]), end, watch());
  await passing(clock, () => queries.length === 3);
  assert.equal(queries[2]!.resourceVersion, "40");
  assert.deepEqual(cache.get("n/a"), { name: "a", resourceVersion: "8" });
});

for (const [form, expired] of [
  ["a refusal", refuse(410)],
  ["an event", watch(["ERROR", { code: 410, reason: "Expired", message: "too old" }])],
] as const) {
  test(`a version that is gone, in ${form}, leads to a new list`, async (t) => {
    const { cache, clock, changes, queries } = await serve(
      t,
      ...[list("7", ["a", "b"]), expired, list("90", ["b", "c"]), watch()],
    );
    await passing(clock, () => queries.length === 4);
    assert.deepEqual(names(cache), ["b", "c"]);
    assert.deepEqual(changes.slice(2).sort(), ["+n/c", "-n/a"], "b did not change");
    assert.equal(queries[3]!.resourceVersion, "90");
    cache.requireCurrent();
  });
}

test("a list whose next page is gone is read again", async (t) => {
  const { cache, clock, queries } = await serve(
    t,
    ...[list("7", ["a"], "next"), refuse(410), list("9", ["b"]), watch()],
  );
  await passing(clock, () => queries.length === 4);
  assert.deepEqual(names(cache), ["b"]);
});

test("a connection that is silent for minutes is replaced and the copy stays readable", async (t) => {
  const { cache, clock, queries } = await serve(t, list("7", ["a"]), watch(), watch());
  await until(() => queries.length === 2);
  await clock.advance(160_000);
  await passing(clock, () => queries.length === 3);
  assert.equal(queries[2]!.resourceVersion, "7");
  assert.deepEqual(names(cache), ["a"]);
});

test("while the API server is down the copy is not current, and afterwards it is", async (t) => {
  const { cache, clock, queries } = await serve(
    t,
    ...[list("7", ["a"]), refuse(503), refuse(503), watch(["ADDED", object("b", "8")])],
  );
  await cache.synced();
  await until(() => {
    try {
      cache.requireCurrent();
      return false;
    } catch (error) {
      return error instanceof DriverUnavailable && /cannot be watched/.test(error.message);
    }
  });
  assert.deepEqual(names(cache), ["a"]);
  await passing(clock, () => cache.size === 2);
  cache.requireCurrent();
  assert.equal(queries.length, 4);
});

test("the copy is compared with a new list from time to time", async (t) => {
  let contents = list("7", ["a"]);
  const answer: Handler = (query, response) => {
    if (query.has("watch")) watch()(query, response);
    else contents(query, response);
  };
  const { cache, clock } = await serve(t, ...Array<Handler>(1_000).fill(answer));
  await cache.synced();
  assert.deepEqual(names(cache), ["a"]);
  contents = list("9", ["b"]);
  // The watches are silent, and each is replaced.
  for (let minutes = 0; minutes < 31; minutes++) await clock.advance(60_000);
  await passing(clock, () => cache.get("n/b") !== undefined);
  assert.deepEqual(names(cache), ["b"]);
});
