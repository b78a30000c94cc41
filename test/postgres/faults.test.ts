// What a store does when its database fails: callers hear that it is away, nobody waits for ever, and
// it goes on by itself.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { Fault } from "../../src/domain/fault.ts";
import { findJob } from "../../src/store/job/find.ts";
import { tallyOf } from "../../src/store/job/load.ts";
import { submitJob } from "../../src/store/job/submit.ts";
import { Stage } from "../../src/store/laws/stage.ts";
import { change, type Verb } from "../../src/store/statement.ts";
import { cut, freshDatabase, missing, ownServer } from "./database.ts";
import { replicaOn } from "./replicas.ts";
import { killServer, startServer, urlOf } from "./server.ts";

async function open(t: TestContext, url: string): Promise<Stage> {
  const { store } = await replicaOn(t, url);
  return Stage.set(async () => store, t);
}

const away = (error: unknown) => error instanceof Fault && error.code === "store_unavailable";

/** Submits until it is taken again; every refusal must be that the store is away. */
async function submitAgain(stage: Stage): Promise<void> {
  for (;;) {
    try {
      await stage.submit();
      return;
    } catch (error) {
      assert.ok(away(error), String(error));
      await sleep(20);
    }
  }
}

describe("a database that fails", { skip: missing }, () => {
  for (const role of ["turns", "reads", "wake-ups"]) {
    test(`a ${role} connection that was cut comes back`, async (t) => {
      const url = await freshDatabase(t);
      const stage = await open(t, url);
      const id = await stage.submit();
      await stage.job(id);
      assert.ok((await cut(url, role)) > 0);
      await submitAgain(stage);
      assert.equal((await stage.job(id)).state, "IN_QUEUE");
    });
  }

  test("cut again and again under load, what was answered is there and counted once", async (t) => {
    const url = await freshDatabase(t);
    const stage = await open(t, url);
    const answered: string[] = [];
    let refused = 0;
    let loading = true;
    const clients = Array.from({ length: 8 }, async () => {
      while (loading) {
        const job = stage.newJob();
        await stage.store.write(submitJob, job).then(
          () => answered.push(job.id),
          (error) => {
            assert.ok(away(error), String(error));
            refused++;
          },
        );
      }
    });
    for (let n = 0; n < 5; n++) {
      const before = answered.length;
      while (answered.length < before + 50) await sleep(5);
      await cut(url, "turns");
    }
    loading = false;
    await Promise.all(clients);
    for (const id of answered) assert.ok(await stage.job(id));
    const there = await stage.value("select count(*) from job");
    assert.equal((await stage.store.read(tallyOf, "e")).in_queue, there);
    t.diagnostic(`${answered.length} answered, ${refused} refused, ${there} there`);
  });

  test("a server that is killed and comes back loses nothing that was answered", async (t) => {
    const folder = await ownServer(t);
    const stage = await open(t, urlOf(folder, "postgres"));
    const id = await stage.submit();
    await killServer(folder);
    await assert.rejects(stage.submit(), away);
    await assert.rejects(stage.submit(), away);
    await assert.rejects(stage.store.read(findJob, id), away);
    await assert.rejects(stage.store.time(), away);
    await startServer(folder);
    await submitAgain(stage);
    assert.equal((await stage.job(id)).state, "IN_QUEUE");
  });

  test("a store whose server is gone closes all the same", async (t) => {
    const folder = await ownServer(t);
    const stage = await open(t, urlOf(folder, "postgres"));
    await killServer(folder);
    const asked = stage.submit();
    await stage.store.close();
    await assert.rejects(asked, away);
    await assert.rejects(stage.submit(), away);
  });

  test("a database that takes no connections is away until it does", async (t) => {
    const url = await freshDatabase(t);
    const stage = await open(t, url);
    const admin = new pg.Client(Object.assign(new URL(url), { pathname: "/postgres" }).href);
    await admin.connect();
    const name = new URL(url).pathname.slice(1);
    await admin.query(`alter database ${name} allow_connections false`);
    const cutAll = "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1";
    await admin.query(cutAll, [name]);
    await assert.rejects(async () => {
      for (;;) await stage.submit();
    }, away);
    await admin.query(`alter database ${name} allow_connections true`);
    await admin.end();
    await submitAgain(stage);
  });

  test("a commit whose answer is lost is told as unknown, and is there or not, whole", async (t) => {
    const url = new URL(await freshDatabase(t));
    const proxy = await startProxy(t, Number(url.port));
    const direct = await open(t, url.href);
    url.port = String(proxy.port);
    const { store } = await replicaOn(t, url.href);
    const job = direct.newJob();
    proxy.deafTo("commit");
    await assert.rejects(store.write(submitJob, job), away);
    proxy.deafTo(null);
    const there = (await direct.store.read(findJob, job.id)) !== undefined;
    assert.equal((await direct.store.read(tallyOf, "e")).in_queue, there ? 1 : 0);
  });

  test("a lock that nobody lets go of ends the call, and what waits behind it, in a bounded time", async (t) => {
    const url = await freshDatabase(t);
    const stage = await open(t, url);
    const id = await stage.submit();
    const blocker = new pg.Client(url);
    await blocker.connect();
    await blocker.query("begin");
    await blocker.query("select 1 from job for update");
    await assert.rejects(stage.store.write(touch, id), away);
    await blocker.query("rollback");
    await blocker.end();
    await submitAgain(stage);
  });
});

function* touch(id: string): Verb<void> {
  yield* change("update job set priority = 1 where id = ?", id);
}

/** Passes bytes on until the client says a word, whose answer never comes: the line is cut instead. */
async function startProxy(t: TestContext, target: number) {
  let word: string | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    let deaf = false;
    client.on("data", (bytes) => {
      deaf ||= word !== null && bytes.includes(word);
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (deaf) client.destroy();
      else client.write(bytes);
    });
    client.on("close", () => upstream.end());
    upstream.on("close", () => client.end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as { port: number }).port,
    deafTo(what: string | null) {
      word = what;
    },
  };
}
