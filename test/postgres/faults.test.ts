// The store while its database fails: calls are refused as `store_unavailable` in a bounded time, and the store
// recovers by itself.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { describe, type TestContext, test } from "node:test";
import pg from "pg";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { Fault } from "../../src/domain/fault.ts";
import { findAccount, lockAccount } from "../../src/store/account/account.ts";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { OneServer } from "../../src/store/engine/postgres/wire/one-server.ts";
import { PersistentConnection } from "../../src/store/engine/postgres/wire/persistent-connection.ts";
import { change, type Tx } from "../../src/store/engine/statement.ts";
import { findJob } from "../../src/store/job/find.ts";
import { jobCounts } from "../../src/store/job/load.ts";
import { submitJob } from "../../src/transactions/job/submit.ts";
import { Fixture } from "../conformance/store/fixture.ts";
import { until } from "../fixtures/until.ts";
import { cut, freshDatabase, missing, ownServer } from "./database.ts";
import { replicaOn } from "./replicas.ts";
import { killServer, startServer, urlOf } from "./server.ts";

async function open(t: TestContext, url: string): Promise<Fixture> {
  const { store } = await replicaOn(t, url);
  return Fixture.set(async () => store, t);
}

const isUnavailable = (error: unknown) =>
  error instanceof Fault && error.code === "store_unavailable";

/** Submits until a submit succeeds; until then it must fail as unavailable. */
async function submitAgain(fixture: Fixture): Promise<void> {
  await until(() =>
    fixture.submit().then(
      () => true,
      (error) => {
        assert.ok(isUnavailable(error), String(error));
        return false;
      },
    ),
  );
}

describe("a database that fails", { skip: missing, timeout: 120_000 }, () => {
  for (const role of ["writes", "reads", "notifications"]) {
    test(`a lost connection for ${role} is replaced`, async (t) => {
      const url = await freshDatabase(t);
      const fixture = await open(t, url);
      const id = await fixture.submit();
      await fixture.job(id);
      assert.ok((await cut(url, role)) > 0);
      await submitAgain(fixture);
      assert.equal((await fixture.job(id)).state, "IN_QUEUE");
    });
  }

  test("under load and with repeated losses, every acknowledged job is stored and counted once", async (t) => {
    const url = await freshDatabase(t);
    const fixture = await open(t, url);
    const answered: string[] = [];
    let refused = 0;
    let loading = true;
    const clients = Array.from({ length: 8 }, async () => {
      while (loading) {
        const job = fixture.newJob();
        await fixture.store.write(submitJob, job).then(
          () => answered.push(job.id),
          (error) => {
            assert.ok(isUnavailable(error), String(error));
            refused++;
          },
        );
      }
    });
    for (let n = 0; n < 5; n++) {
      const before = answered.length;
      await until(() => answered.length >= before + 50);
      await cut(url, "writes");
    }
    loading = false;
    await Promise.all(clients);
    for (const id of answered) assert.ok(await fixture.job(id));
    const stored = await fixture.value("select count(*) from job");
    assert.equal((await fixture.store.read(jobCounts, "e")).inQueue, stored);
    t.diagnostic(`${answered.length} answered, ${refused} refused, ${stored} stored`);
  });

  test("a killed server that restarts loses no acknowledged job", async (t) => {
    const folder = await ownServer(t);
    const fixture = await open(t, urlOf(folder, "postgres"));
    const id = await fixture.submit();
    await killServer(folder);
    await assert.rejects(fixture.submit(), isUnavailable);
    await assert.rejects(fixture.submit(), isUnavailable);
    await assert.rejects(fixture.store.read(findJob, id, fixture.now), isUnavailable);
    await assert.rejects(fixture.store.time(), isUnavailable);
    await startServer(folder);
    await submitAgain(fixture);
    assert.equal((await fixture.job(id)).state, "IN_QUEUE");
  });

  test("a store closes without its server", async (t) => {
    const folder = await ownServer(t);
    const fixture = await open(t, urlOf(folder, "postgres"));
    await killServer(folder);
    const submitted = fixture.submit();
    await fixture.store.close();
    await assert.rejects(submitted, isUnavailable);
    await assert.rejects(fixture.submit(), isUnavailable);
  });

  test("a database without connections is unavailable until it accepts them", async (t) => {
    const url = await freshDatabase(t);
    const fixture = await open(t, url);
    const admin = new pg.Client(Object.assign(new URL(url), { pathname: "/postgres" }).href);
    await admin.connect();
    const name = new URL(url).pathname.slice(1);
    await admin.query(`alter database ${name} allow_connections false`);
    const cutAll = "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1";
    await admin.query(cutAll, [name]);
    await assert.rejects(async () => {
      for (;;) await fixture.submit();
    }, isUnavailable);
    await admin.query(`alter database ${name} allow_connections true`);
    await admin.end();
    await submitAgain(fixture);
  });

  test("a commit whose answer is lost fails as unavailable and took effect as a whole or not at all", async (t) => {
    const url = new URL(await freshDatabase(t));
    const proxy = await startProxy(t, Number(url.port));
    const direct = await open(t, url.href);
    url.port = String(proxy.port);
    const { store } = await replicaOn(t, url.href);
    const job = direct.newJob();
    proxy.dropAnswersTo("commit");
    await assert.rejects(store.write(submitJob, job), isUnavailable);
    proxy.dropAnswersTo(null);
    const isStored = (await direct.store.read(findJob, job.id, direct.now)) !== undefined;
    assert.equal((await direct.store.read(jobCounts, "e")).inQueue, isStored ? 1 : 0);
  });

  test("a lock that is never released ends the call, and the calls behind it, in a bounded time", async (t) => {
    const url = await freshDatabase(t);
    const fixture = await open(t, url);
    const id = await fixture.submit();
    const blocker = new pg.Client(url);
    await blocker.connect();
    await blocker.query("begin");
    await blocker.query("select 1 from job for update");
    await assert.rejects(fixture.store.write(touch, id), isUnavailable);
    await blocker.query("rollback");
    await blocker.end();
    await submitAgain(fixture);
  });
});

describe("a call that a lock blocks", { skip: missing }, () => {
  test("fails alone, and the calls of its batch succeed", async (t) => {
    const url = await freshDatabase(t);
    const fixture = await open(t, url);
    const [blocked, free] = [await fixture.submit(), await fixture.submit()];
    await using(url, async (blocker) => {
      await blocker.query("begin");
      await blocker.query("select 1 from job where id = $1 for update", [blocked]);
      const { store } = fixture;
      const [first, second, third] = await Promise.allSettled([
        store.write(touch, blocked),
        store.write(touch, free),
        fixture.submit(),
      ]);
      assert.ok(first!.status === "rejected" && isUnavailable(first.reason));
      assert.deepEqual([second!.status, third!.status], ["fulfilled", "fulfilled"]);
    });
  });

  test("goes on once the server has ended the transaction of a replica that stands still", async (t) => {
    const url = await freshDatabase(t);
    const fixture = await open(t, url);
    const id = await fixture.submit();
    // A replica's session, with its settings, whose process stops within a transaction.
    const oneServer = new OneServer();
    const options = { url, clock: systemClock, role: "writes", oneServer };
    const frozen = await new PersistentConnection(options).session();
    t.after(() => frozen.close());
    const lock = { sql: "select 1 from job for update", params: [], rows: true };
    await frozen.run([{ sql: "begin", params: [], rows: false }, lock]);
    await fixture.store.write(touch, id); // unavailable if the lock outlived the wait
  });
});

describe("the schema and the clock of others", { skip: missing, timeout: 60_000 }, () => {
  test("a column that an operator adds to every table is no trouble", async (t) => {
    const url = await freshDatabase(t);
    const fixture = await open(t, url);
    const { store, now } = fixture;
    const account = () => store.read(findAccount, "account");
    const id = await fixture.submit();
    const before = [await account(), await store.read(findJob, id, now)];
    const locked = await store.write(lockAccount, "account");
    await using(url, async (client) => {
      const sessions = await sessionsOf(client);
      const { rows } = await client.query(
        "select tablename from pg_tables where schemaname = 'public'",
      );
      for (const { tablename } of rows) {
        await client.query(`alter table ${tablename} add column "a note of the operator" text`);
      }
      assert.deepEqual([await account(), await store.read(findJob, id, now)], before);
      assert.deepEqual(await store.write(lockAccount, "account"), locked);
      await fixture.submit();
      assert.deepEqual(await sessionsOf(client), sessions, "no session was opened anew");
    });
  });

  test("a clock that is set back during an outage does not delay the reconnection", async (t) => {
    const folder = await ownServer(t);
    let offsetMs = 0;
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + offsetMs };
    const store = await openPostgres(urlOf(folder, "postgres"), { clock, readConnections: 1 });
    t.after(() => store.close());
    const fixture = await Fixture.set(async () => store, t);
    await killServer(folder);
    await assert.rejects(fixture.submit(), isUnavailable); // the session is lost
    await assert.rejects(fixture.submit(), isUnavailable); // and no other one to be had
    offsetMs = -3_600_000;
    await startServer(folder);
    await submitAgain(fixture);
  });
});

/** The server processes behind the stores' sessions. */
async function sessionsOf(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query(
    `select pid from pg_stat_activity
     where application_name like 'freehold %' and datname = current_database() order by pid`,
  );
  return rows.map(({ pid }) => pid);
}

/** Runs work with a connection of its own, which is closed in any case. */
async function using(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function* touch(id: string): Tx<void> {
  yield* change("update job set priority = 1 where id = ?", id);
}

/** A proxy that drops the connection instead of the answer to a message with a given word. */
async function startProxy(t: TestContext, target: number) {
  let word: string | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    let isDropping = false;
    client.on("data", (bytes) => {
      isDropping ||= word !== null && bytes.includes(word);
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (isDropping) client.destroy();
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
    dropAnswersTo(next: string | null) {
      word = next;
    },
  };
}
