// Tests of the database under load: restarted, failed over, disconnected, out of connections and slow.
// Everything acknowledged is stored once, no job runs more often than one redispatch allows, and
// the service recovers by itself.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pauseMs } from "../fixtures/time/pace.ts";
import { until } from "../fixtures/until.ts";
import { freshDatabase, missing, ownServer } from "../postgres/database.ts";
import { Relay } from "../postgres/relay.ts";
import { killServer, portOf, urlOf } from "../postgres/server.ts";
import { commitOnBoth, followFrom, promote, startStandby } from "../postgres/standby.ts";
import { cutAll, restart, takeAll, withClient } from "./database.ts";
import { ledgerErrors, startPod } from "./ledger.ts";
import { type Outcome, type Scene, underLoad } from "./scene.ts";

const skip = missing;
/** Many more than are under way at once, so that some meet each failure. */
const jobs = 300;

/** Each loop of each replica may log its failure once. */
function holds({ verdict, said, loopCount }: Outcome, troubles: number): void {
  assert.deepEqual(verdict.broken, []);
  const lines = said.split("\n").filter((line) => line !== "");
  assert.ok(
    lines.length <= troubles * loopCount,
    `${lines.length} lines in the log for ${loopCount} loops, such as ${lines[0]}`,
  );
}

for (const how of ["fast", "immediate"] as const) {
  test(`the database is restarted twice (${how})`, { skip }, async (t) => {
    const folder = await ownServer(t);
    const outcome = await underLoad(t, {
      url: urlOf(folder, "postgres"),
      jobs,
      async trouble() {
        for (let n = 0; n < 2; n++) {
          await pauseMs(500);
          await restart(folder, how, n * 1_500);
        }
        await pauseMs(500);
      },
    });
    holds(outcome, 2);
  });
}

test("the database fails over to a standby, and back", { skip }, async (t) => {
  const primary = await ownServer(t);
  const standby = await startStandby(t, primary);
  await commitOnBoth(primary);
  const relay = await Relay.start(t, portOf(primary));
  const url = relay.urlFor(urlOf(primary, "postgres"));
  const outcome = await underLoad(t, {
    url,
    jobs: 600, // the longest trouble
    async trouble(scene) {
      const pod = await startPod(scene);
      let [from, to] = [primary, standby];
      for (let n = 0; n < 2; n++) {
        await pauseMs(500);
        await killServer(from);
        const since = performance.now();
        await promote(to);
        relay.pointTo(portOf(to));
        await untilServing(scene);
        const tookMs = Math.round(performance.now() - since);
        t.diagnostic(`${tookMs} ms from the order to promote to an acknowledged request`);
        await followFrom(from, to);
        await commitOnBoth(to);
        [from, to] = [to, from];
      }
      await pod.delete();
    },
  });
  holds(outcome, 2);
  assert.deepEqual(await ledgerErrors(url), []);
});

/** Purges nothing, which is a commit. */
async function untilServing({ connection, seeded: { endpointId, key } }: Scene): Promise<void> {
  const job = { method: "POST" as const, path: `/v1/endpoints/${endpointId}/update`, key };
  await until(async () => (await connection.ask({ ...job, body: '{"name":"a"}' }))?.status === 200);
}

test("every connection is closed, twenty times", { skip }, async (t) => {
  const url = await freshDatabase(t);
  const trouble = () =>
    withClient(url, async (client) => {
      for (let n = 0; n < 20; n++) {
        await pauseMs(Math.random() * 300);
        await cutAll(client);
      }
    });
  holds(await underLoad(t, { url, jobs, trouble }), 20);
});

test("connections are closed while the database has none left", { skip }, async (t) => {
  const folder = await ownServer(t, { max_connections: "40" });
  const url = urlOf(folder, "postgres");
  const trouble = () =>
    withClient(url, async (client) => {
      const free = await takeAll(url);
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'freehold%'",
      );
      const more = await takeAll(url);
      await pauseMs(2_000);
      await free();
      await more();
    });
  holds(await underLoad(t, { url, jobs, trouble }), 1);
});

test("commits are slow, and a table is locked for a while", { skip }, async (t) => {
  const url = await freshDatabase(t);
  const trouble = () =>
    withClient(url, async (client) => {
      await client.query(`
        create function slow() returns trigger language plpgsql as
          $$ begin perform pg_sleep(0.01); return null; end $$;
        create constraint trigger slow after insert or update on job
          deferrable initially deferred for each row execute function slow();
      `);
      await pauseMs(2_000);
      await client.query("drop trigger slow on job");
      await client.query("begin; lock table job in access exclusive mode");
      await pauseMs(2_500);
      await client.query("commit");
      await pauseMs(500);
    });
  holds(await underLoad(t, { url, jobs, trouble }), 1);
});
