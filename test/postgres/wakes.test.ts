// Wake-ups between replicas: what is committed on one is heard on the other, and what was lost on the
// way is made up for.

import assert from "node:assert/strict";
import { on } from "node:events";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { systemClock, VirtualClock } from "../../src/base/clock.ts";
import { openPostgres } from "../../src/store/dialect/postgres/open.ts";
import { Stage } from "../../src/store/laws/stage.ts";
import { ring, type Verb } from "../../src/store/statement.ts";
import type { Store } from "../../src/store/store.ts";
import { topic } from "../../src/store/wakes.ts";
import { cut, freshDatabase, missing } from "./database.ts";
import { replicaOn } from "./replicas.ts";

async function open(t: TestContext) {
  const url = await freshDatabase(t);
  const [a, b] = await Promise.all([1, 2].map(() => replicaOn(t, url)));
  const stage = await Stage.set(async () => a!.store, t);
  return { url, stage, a: a!.store, b: b!.store };
}

/** Long enough for a slow machine; none of these takes it. */
const SOON_MS = 60_000;

function rung(store: Store, name: string) {
  const bell = store.wakes.hang(name);
  return { bell, wait: () => bell.wait(systemClock, SOON_MS).finally(() => bell.close()) };
}

function* ringMany(names: string[]): Verb<void> {
  for (const name of names) yield* ring(name);
}

describe("wake-ups between replicas", { skip: missing }, () => {
  test("whoever waits elsewhere is woken by a commit here", async (t) => {
    const { stage, b } = await open(t);
    const { wait } = rung(b, topic.job("job-0"));
    await stage.submit();
    await stage.claim();
    await stage.finish("job-0");
    assert.equal(await wait(), true);
  });

  test("a job wakes a poll here before one elsewhere, and one elsewhere where none waits here", async (t) => {
    const { stage, a, b } = await open(t);
    const here = rung(a, topic.queue("e"));
    const there = rung(b, topic.queue("e"));
    const marker = rung(b, "marker");
    await stage.submit();
    await a.write(ringMany, ["marker"]);
    assert.equal(await marker.wait(), true);
    assert.deepEqual([here.bell.rung, there.bell.rung], [true, false]);
    await stage.submit();
    assert.equal(await there.wait(), true);
    here.bell.close();
  });

  test("what one poll does not use is handed on to another replica", async (t) => {
    const { a, b } = await open(t);
    const { wait } = rung(b, topic.queue("e"));
    a.wakes.ringSome(topic.queue("e"), 1);
    assert.equal(await wait(), true);
  });

  test("more than one notification can hold is told in several", async (t) => {
    const { a, b } = await open(t);
    const names = Array.from({ length: 1_000 }, (_, n) => topic.job(`job-${n}-${"é".repeat(20)}`));
    const bells = names.map((name) => rung(b, name));
    await a.write(ringMany, names);
    const heard = await Promise.all(bells.map(({ wait }) => wait()));
    assert.ok(heard.every(Boolean));
  });

  test("a replica that listens again after a loss looks at everything once", async (t) => {
    const { url, b } = await open(t);
    const { wait } = rung(b, topic.job("some"));
    await cut(url, "wake-ups");
    assert.equal(await wait(), true);
  });

  test("a job whose notification was lost is found by looking", async (t) => {
    const { stage, b } = await open(t);
    const { wait } = rung(b, topic.queue("e"));
    const told = stage.store.wakes.elsewhere;
    stage.store.wakes.elsewhere = null; // it dies right after its commit
    await stage.submit();
    stage.store.wakes.elsewhere = told;
    assert.equal(await wait(), true);
  });

  test("who is alone tells nobody, until somebody comes", async (t) => {
    const url = await freshDatabase(t);
    const clock = new VirtualClock();
    const listener = new pg.Client(url);
    await listener.connect();
    t.after(() => listener.end());
    await listener.query("listen freehold");
    const said = on(listener, "notification", { signal: t.signal });
    const next = async () => (await said.next()).value![0].payload as string;
    /** What is said at the next look; one that is late is waited for, and the clock moved again. */
    const nextLook = async () => {
      const heard = next();
      let payload: string | null = null;
      while (payload === null) {
        await clock.advance(1_000);
        payload = await Promise.race([heard, sleep(200, null)]);
      }
      return payload;
    };
    const a = await openPostgres(url, { clock, readConnections: 1 });
    t.after(() => a.close());
    assert.equal(await next(), "+");
    for (let look = 1; look <= 4; look++) assert.equal(await nextLook(), "+");
    await a.write(ringMany, ["unheard"]);
    assert.equal(await nextLook(), "+");
    const { store: b } = await replicaOn(t, url);
    const { wait } = rung(b, topic.job("some"));
    await a.write(ringMany, [topic.job("some")]);
    assert.equal(await wait(), true);
  });
});
