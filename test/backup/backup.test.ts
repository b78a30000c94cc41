// Tests of backups: made while the service is used, complete, and sufficient for a new service.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { freehold, start } from "../cli/command.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { checkCopy, fillService } from "./full-service.ts";

const queueSuites = ["cycle", "results", "idempotency", "wake"];

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-backup-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A backup of a running service, restored to a folder that contains the secret key too. */
async function copyOf(t: TestContext, dataFolder: string): Promise<string> {
  const folder = folderFor(t);
  const file = path.join(folder, "backup.db");
  const backup = await freehold(["backup", file, "--data", dataFolder, "--json"]);
  assert.equal(backup.code, 0, backup.stderr);
  const restored = path.join(folder, "restored");
  mkdirSync(restored, { mode: 0o700 });
  copyFileSync(path.join(dataFolder, "secret.key"), path.join(restored, "secret.key"));
  const put = await freehold(["restore", file, "--data", restored, "--json"]);
  assert.equal(put.code, 0, put.stderr);
  assert.deepEqual(JSON.parse(put.stdout).rows, JSON.parse(backup.stdout).rows);
  return restored;
}

test("a restored service continues where the backed-up one was", async (t) => {
  const full = await fillService(t);
  await checkCopy(t, full, await copyOf(t, full.service.dataFolder));
});

test("the queue conformance passes on restored data", async (t) => {
  const full = await fillService(t);
  const data = await copyOf(t, full.service.dataFolder);
  const runner = path.join(import.meta.dirname, "..", "..", "bin", "test.mjs");
  const files = queueSuites.map((name) =>
    path.join(import.meta.dirname, "..", "queue", `${name}.test.ts`),
  );
  const env = { ...process.env, FREEHOLD_TEST_DATA: data, NODE_TEST_CONTEXT: undefined };
  const ended = spawnSync(process.execPath, [runner, ...files], { env, encoding: "utf8" });
  assert.equal(ended.status, 0, ended.stdout + ended.stderr);
  assert.match(ended.stdout, /pass [1-9]\d/);
});

test("a backup under load contains everything acknowledged before it, and only complete jobs", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const acknowledged: string[] = [];
  let loading = true;
  const client = async () => {
    while (loading) {
      const { json } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
      acknowledged.push(json.id);
    }
  };
  const clients = Promise.all(Array.from({ length: 8 }, client));
  await until(() => acknowledged.length >= 200);
  const before = [...acknowledged];
  const file = path.join(folderFor(t), "backup.db");
  const noted = async () => (await service.call("GET", "/v1/installation")).json.lastBackup;
  assert.equal(await noted(), null);
  const { code, stderr } = await freehold(["backup", file, "--data", service.dataFolder]);
  loading = false;
  await clients;
  assert.equal(code, 0, stderr);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const { size, mtimeMs } = statSync(file);
  const createdAt = new Date(Math.round(mtimeMs)).toISOString();
  assert.deepEqual(await noted(), { file, bytes: size, createdAt, present: true });
  const db = new DatabaseSync(file, { readOnly: true });
  t.after(() => db.close());
  const found = db.prepare("select id from job").all() as { id: string }[];
  const ids = new Set(found.map(({ id }) => id));
  assert.deepEqual(
    before.filter((id) => !ids.has(id)),
    [],
  );
  const counted = db.prepare("select sum(in_queue) as n from tally").get();
  assert.deepEqual({ ...counted }, { n: found.length });
});

test("a killed backup leaves no file under its name, and the next one leaves no temporary file", async (t) => {
  const { service } = await fillService(t);
  const folder = folderFor(t);
  const file = path.join(folder, "backup.db");
  for (const signal of ["SIGTERM", "SIGINT", "SIGKILL"] as const) {
    const child = start(["backup", file, "--data", service.dataFolder]);
    const closed = new Promise((resolve) => child.once("close", resolve));
    const unfinished = () => readdirSync(folder).some((name) => name.endsWith(".partial"));
    while (!unfinished() && child.exitCode === null) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    child.kill(signal);
    const code = await closed;
    if (code === 0) rmSync(file); // the backup finished before the signal
    const left = readdirSync(folder);
    assert.ok(!left.includes("backup.db"), signal);
    if (signal !== "SIGKILL") assert.deepEqual(left, [], signal);
  }
  assert.equal((await freehold(["backup", file, "--data", service.dataFolder])).code, 0);
  assert.deepEqual(readdirSync(folder), ["backup.db"]);
});

test("an invalid backup request is rejected", async (t) => {
  const { dataFolder } = await startService(t);
  const folder = folderFor(t);
  const file = path.join(folder, "backup.db");
  const backUp = async (...args: string[]) => {
    const { code, stdout, stderr } = await freehold(["backup", ...args]);
    assert.deepEqual([code, stdout], [1, ""]);
    return stderr;
  };
  const unnamed = await freehold(["backup", "--data", dataFolder]);
  assert.equal(unnamed.code, 2);
  assert.match(unnamed.stderr, /missing required argument 'file'/);
  assert.match(await backUp(file, "--data", folder), /there is no freehold\.db in .*--data/);
  assert.match(await backUp(folder, "--data", dataFolder), /is a folder; name a file in it/);
  const inFile = path.join(dataFolder, "cli.key", "b.db");
  assert.match(await backUp(inFile, "--data", dataFolder), /b\.db cannot be written: ENOTDIR/);
  const nowhere = path.join(folder, "no", "b.db");
  assert.match(
    await backUp(nowhere, "--data", dataFolder),
    /there is no folder .*no for the backup/,
  );
  assert.equal((await freehold(["backup", file, "--data", dataFolder])).code, 0);
  assert.match(await backUp(file, "--data", dataFolder), /exists; .*--replace/);
  assert.equal((await freehold(["backup", file, "--replace", "--data", dataFolder])).code, 0);
});
