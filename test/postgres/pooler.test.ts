// The store behind PgBouncer: in session mode it works, in any other it is refused before a setting is made.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, type TestContext, test } from "node:test";
import pg from "pg";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { Fixture } from "../conformance/store/fixture.ts";
import { freePort } from "../fixtures/free-port.ts";
import { until } from "../fixtures/until.ts";
import { emptyDatabase, missing } from "./database.ts";

const program = ["/usr/sbin/pgbouncer", "pgbouncer"].find(
  (each) => spawnSync(each, ["--version"]).status === 0,
);
const skip = missing || (program ? false : "PgBouncer is not installed: apt-get install pgbouncer");
if (skip && process.env.CI) throw new Error(skip);

/** Returns the URL of the database through the pooler. */
async function startPooler(t: TestContext, url: string, mode: string): Promise<string> {
  const server = new URL(url);
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-pooler-"));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const password = decodeURIComponent(server.password).replaceAll("'", "''");
  const file = path.join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${server.port} user=${server.username} password='${password}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 20
`,
  );
  const user = process.getuid?.() === 0 ? ["--user", "postgres"] : [];
  const child = spawn(program!, [...user, file], { stdio: "ignore" });
  t.after(async () => {
    child.kill("SIGTERM");
    await once(child, "exit");
    rmSync(folder, { recursive: true });
  });
  await until(() => answers(port));
  return Object.assign(server, { port: String(port), password: "" }).href;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    }).on("error", () => resolve(false));
  });
}

/** What sessions of the database have set, as seen by the next clients of the pooler. */
async function settingsSeen(url: string): Promise<string[]> {
  const clients = Array.from({ length: 4 }, () => new pg.Client(url));
  const values: string[] = [];
  for (const each of clients) await each.connect();
  for (const each of clients) await each.query("begin");
  for (const each of clients) {
    for (const name of ["statement_timeout", "enable_seqscan"]) {
      values.push((await each.query(`show ${name}`)).rows[0][name]);
    }
  }
  for (const each of clients) await each.end();
  return values;
}

describe("a database behind a pooler", { skip, timeout: 120_000 }, () => {
  for (const mode of ["transaction", "statement"]) {
    test(`in ${mode} mode is refused in a sentence, and nothing is set or created`, async (t) => {
      const url = await emptyDatabase(t);
      const pooled = await startPooler(t, url, mode);
      await assert.rejects(openPostgres(pooled), (error: Error) => {
        assert.equal(error.name, "OpenError");
        assert.match(
          error.message,
          /^PostgreSQL at 127\.0\.0\.1:\d+ is behind a pooler in transaction mode; set the pooler to session mode/,
        );
        return true;
      });
      if (mode === "transaction") {
        const values = await settingsSeen(pooled);
        assert.deepEqual([...new Set(values)], ["0", "on"]);
      }
      const client = new pg.Client(url);
      await client.connect();
      const { rows } = await client.query("select to_regclass('schema_version') as version");
      await client.end();
      assert.equal(rows[0].version, null);
    });
  }

  test("in session mode is used", async (t) => {
    const url = await emptyDatabase(t);
    const store = await openPostgres(await startPooler(t, url, "session"), { readConnections: 2 });
    t.after(() => store.close());
    const fixture = await Fixture.set(async () => store, t);
    assert.equal((await fixture.job(await fixture.submit())).state, "IN_QUEUE");
  });
});
