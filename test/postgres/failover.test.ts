// The store while its address moves between two servers: a standby is never used, and no session stays with a server
// that the address has left.

import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { Fault } from "../../src/domain/fault.ts";
import { checkStore } from "../../src/flows/readiness.ts";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { Fixture } from "../conformance/store/fixture.ts";
import { until } from "../fixtures/until.ts";
import { missing, ownServer } from "./database.ts";
import { Relay } from "./relay.ts";
import { replicaOn } from "./replicas.ts";
import { killServer, portOf, urlOf } from "./server.ts";
import { catchUp, commitOnBoth, followFrom, promote, startStandby } from "./standby.ts";

const isUnavailable = (error: unknown) =>
  error instanceof Fault && error.code === "store_unavailable";

async function scene(t: TestContext) {
  const primary = await ownServer(t);
  const standby = await startStandby(t, primary);
  const relay = await Relay.start(t, portOf(primary));
  const { store, clock } = await replicaOn(t, relay.urlFor(urlOf(primary, "postgres")));
  const fixture = await Fixture.set(async () => store, t);
  return { primary, standby, relay, store, clock, fixture };
}

/** Calls until a call succeeds; until then it must fail as unavailable. */
async function untilAvailable<Result>(call: () => Promise<Result>): Promise<Result> {
  const { result } = await until(() =>
    call().then(
      (result) => ({ result }),
      (error) => {
        assert.ok(isUnavailable(error), String(error));
        return null;
      },
    ),
  );
  return result;
}

describe("an address that moves", { skip: missing, timeout: 180_000 }, () => {
  test("a standby that the address leads to for a while serves neither reads nor writes", async (t) => {
    const { primary, standby, relay, store, clock, fixture } = await scene(t);
    const id = await fixture.submit();
    await catchUp(primary, standby);
    relay.pointTo(portOf(standby));
    relay.cut();
    let refusals = 0;
    await until(async () => {
      await assert.rejects(fixture.submit(), isUnavailable);
      await assert.rejects(fixture.job(id), isUnavailable);
      await assert.rejects(checkStore({ store, clock }, 1_000), isUnavailable);
      return ++refusals === 10;
    });
    relay.pointTo(portOf(primary)); // and nothing cuts what is open
    const next = await untilAvailable(() => fixture.submit());
    const job = await untilAvailable(() => fixture.job(next));
    assert.equal(job.state, "IN_QUEUE");
    await untilAvailable(() => checkStore({ store, clock }, 5_000));
  });

  test("reads follow a writing connection that alone was led to another server", async (t) => {
    const { primary, standby, relay, fixture } = await scene(t);
    await fixture.job(await fixture.submit()); // the connections are open
    await catchUp(primary, standby);
    await promote(standby); // and the old primary still runs
    relay.pointTo(portOf(standby));
    relay.cut("writes");
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push(await untilAvailable(() => fixture.submit()));
    for (const id of ids) {
      assert.equal((await untilAvailable(() => fixture.job(id))).state, "IN_QUEUE");
    }
  });

  test("over to the standby and back, with every acknowledged job", async (t) => {
    const { primary, standby, relay, fixture } = await scene(t);
    const ids = [await fixture.submit()];
    let [from, to] = [primary, standby];
    for (let n = 0; n < 2; n++) {
      await commitOnBoth(from);
      ids.push(await untilAvailable(() => fixture.submit()));
      await killServer(from);
      const since = performance.now();
      await promote(to);
      relay.pointTo(portOf(to));
      ids.push(await untilAvailable(() => fixture.submit()));
      const tookMs = Math.round(performance.now() - since);
      t.diagnostic(`${tookMs} ms from the order to promote to the first commit`);
      await followFrom(from, to);
      [from, to] = [to, from];
    }
    for (const id of ids) assert.equal((await fixture.job(id)).state, "IN_QUEUE");
  });

  test("a start on a standby is refused in a sentence", async (t) => {
    const primary = await ownServer(t);
    const standby = await startStandby(t, primary);
    await assert.rejects(openPostgres(urlOf(standby, "postgres")), {
      name: "OpenError",
      message: `PostgreSQL at 127.0.0.1:${portOf(standby)} is a standby, which takes no writes; name the primary in FREEHOLD_DATABASE_URL`,
    });
  });
});
