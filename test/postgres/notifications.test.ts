// Notifications between replicas: a commit on one notifies listeners on the other, and lost notifications are
// made up for.

import assert from "node:assert/strict";
import { on } from "node:events";
import { describe, type TestContext, test } from "node:test";
import pg from "pg";
import { systemClock, VirtualClock } from "../../src/base/clock.ts";
import { topic } from "../../src/store/engine/notifier.ts";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { notify, type Tx } from "../../src/store/engine/statement.ts";
import type { Store } from "../../src/store/engine/store.ts";
import { Fixture } from "../conformance/store/fixture.ts";
import { until } from "../fixtures/until.ts";
import { cut, freshDatabase, missing } from "./database.ts";
import { replicaOn } from "./replicas.ts";

async function open(t: TestContext) {
  const url = await freshDatabase(t);
  const [a, b] = await Promise.all([1, 2].map(() => replicaOn(t, url)));
  const fixture = await Fixture.set(async () => a!.store, t);
  return { url, fixture, a: a!.store, b: b!.store };
}

/** Long enough for a slow machine; no test needs it. */
const TIMEOUT_MS = 60_000;

function subscribe(store: Store, name: string) {
  const subscription = store.notifier.subscribe(name);
  return {
    subscription,
    wait: () => subscription.wait(systemClock, TIMEOUT_MS).finally(() => subscription.close()),
  };
}

function* notifyMany(names: string[]): Tx<void> {
  for (const name of names) yield* notify(name);
}

describe("notifications between replicas", { skip: missing }, () => {
  test("a commit on one replica notifies a listener on the other", async (t) => {
    const { fixture, b } = await open(t);
    const { wait } = subscribe(b, topic.job("job-0"));
    await fixture.submit();
    await fixture.claim();
    await fixture.finish("job-0");
    assert.equal(await wait(), true);
  });

  test("a job notifies a local poll first, and without one a poll on another replica", async (t) => {
    const { fixture, a, b } = await open(t);
    const local = subscribe(a, topic.queue("e"));
    const remote = subscribe(b, topic.queue("e"));
    const marker = subscribe(b, "marker");
    await fixture.submit();
    await a.write(notifyMany, ["marker"]);
    assert.equal(await marker.wait(), true);
    assert.deepEqual([local.subscription.signalled, remote.subscription.signalled], [true, false]);
    await fixture.submit();
    assert.equal(await remote.wait(), true);
    local.subscription.close();
  });

  test("a notification without a local listener goes to another replica", async (t) => {
    const { a, b } = await open(t);
    const { wait } = subscribe(b, topic.queue("e"));
    a.notifier.notifySome(topic.queue("e"), 1);
    assert.equal(await wait(), true);
  });

  test("topics that exceed one payload travel in several", async (t) => {
    const { a, b } = await open(t);
    const names = Array.from({ length: 1_000 }, (_, n) => topic.job(`job-${n}-${"é".repeat(20)}`));
    const subscriptions = names.map((name) => subscribe(b, name));
    await a.write(notifyMany, names);
    const results = await Promise.all(subscriptions.map(({ wait }) => wait()));
    assert.ok(results.every(Boolean));
  });

  test("a replica that reconnects notifies all its listeners once", async (t) => {
    const { url, b } = await open(t);
    const { wait } = subscribe(b, topic.job("some"));
    await cut(url, "notifications");
    assert.equal(await wait(), true);
  });

  test("a job whose notification was lost is found by the next check", async (t) => {
    const { fixture, b } = await open(t);
    const { wait } = subscribe(b, topic.queue("e"));
    const elsewhere = fixture.store.notifier.elsewhere;
    fixture.store.notifier.elsewhere = null; // as if the replica died after its commit
    await fixture.submit();
    fixture.store.notifier.elsewhere = elsewhere;
    assert.equal(await wait(), true);
  });

  test("a payload of another program counts as lost notifications", async (t) => {
    const { url, fixture, b } = await open(t);
    const client = new pg.Client(url);
    await client.connect();
    t.after(() => client.end());
    for (const payload of [
      "",
      "{",
      "null",
      "7",
      '{"a":1}',
      "[1]",
      '["x"]',
      "[[1,null]]",
      '[["x","y"]]',
    ]) {
      const { wait } = subscribe(b, topic.job("some"));
      await client.query("select pg_notify('freehold', $1)", [payload]);
      assert.equal(await wait(), true, payload);
    }
    await fixture.submit();
  });

  test("a replica that is alone sends no notifications until another one starts", async (t) => {
    const url = await freshDatabase(t);
    const clock = new VirtualClock();
    const listener = new pg.Client(url);
    await listener.connect();
    t.after(() => listener.end());
    await listener.query("listen freehold");
    const payloads = on(listener, "notification", { signal: t.signal });
    const next = async () => (await payloads.next()).value![0].payload as string;
    /** The payload of the next check; advances the clock until it arrives. */
    const nextCheck = async () => {
      let payload: string | null = null;
      void next().then((arrived) => {
        payload = arrived;
      });
      return until(async () => {
        if (payload === null) await clock.advance(1_000);
        return payload;
      });
    };
    const a = await openPostgres(url, { clock, readConnections: 1 });
    t.after(() => a.close());
    assert.equal(await next(), "+");
    for (let check = 1; check <= 4; check++) assert.equal(await nextCheck(), "+");
    await a.write(notifyMany, ["unheard"]);
    assert.equal(await nextCheck(), "+");
    const { store: b } = await replicaOn(t, url);
    const { wait } = subscribe(b, topic.job("some"));
    await a.write(notifyMany, [topic.job("some")]);
    assert.equal(await wait(), true);
  });
});
