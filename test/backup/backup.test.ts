// A backup is made while the service is used, is whole, and is what a new service goes on from.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { freehold, start } from "../cli/command.ts";
import { startHouse } from "../house.ts";
import { checkCopy, fillHouse } from "./full-house.ts";

const queueSuites = ["cycle", "results", "idempotency", "wake"];

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-backup-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A backup of a running service, restored to a folder beside that holds its secret key too. */
async function copyOf(t: TestContext, dataFolder: string): Promise<string> {
  const folder = folderFor(t);
  const file = path.join(folder, "backup.db");
  const made = await freehold(["backup", file, "--data", dataFolder, "--json"]);
  assert.equal(made.code, 0, made.stderr);
  const restored = path.join(folder, "restored");
  mkdirSync(restored, { mode: 0o700 });
  copyFileSync(path.join(dataFolder, "secret.key"), path.join(restored, "secret.key"));
  const put = await freehold(["restore", file, "--data", restored, "--json"]);
  assert.equal(put.code, 0, put.stderr);
  assert.deepEqual(JSON.parse(put.stdout).rows, JSON.parse(made.stdout).rows);
  return restored;
}

test("a restored service goes on where the one that was backed up stood", async (t) => {
  const full = await fillHouse(t);
  await checkCopy(t, full, await copyOf(t, full.house.dataFolder));
});

test("the suite of the queue holds on restored data", async (t) => {
  const full = await fillHouse(t);
  const data = await copyOf(t, full.house.dataFolder);
  const runner = path.join(import.meta.dirname, "..", "..", "bin", "test.mjs");
  const files = queueSuites.map((name) =>
    path.join(import.meta.dirname, "..", "queue", `${name}.test.ts`),
  );
  const env = { ...process.env, FREEHOLD_TEST_DATA: data, NODE_TEST_CONTEXT: undefined };
  const ended = spawnSync(process.execPath, [runner, ...files], { env, encoding: "utf8" });
  assert.equal(ended.status, 0, ended.stdout + ended.stderr);
  assert.match(ended.stdout, /pass [1-9]\d/);
});

test("a backup under load holds all that was acknowledged before it, and nothing by halves", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const acknowledged: string[] = [];
  let loading = true;
  const client = async () => {
    while (loading) {
      const { json } = await house.call("POST", `/v2/${endpoint}/run`, { input: {} });
      acknowledged.push(json.id);
    }
  };
  const clients = Promise.all(Array.from({ length: 8 }, client));
  while (acknowledged.length < 200) await new Promise((resolve) => setImmediate(resolve));
  const before = [...acknowledged];
  const file = path.join(folderFor(t), "backup.db");
  const { code, stderr } = await freehold(["backup", file, "--data", house.dataFolder]);
  loading = false;
  await clients;
  assert.equal(code, 0, stderr);
  assert.equal(statSync(file).mode & 0o777, 0o600);
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

test("a backup that is killed leaves nothing under its name, and the next one nothing beside it", async (t) => {
  const { house } = await fillHouse(t);
  const folder = folderFor(t);
  const file = path.join(folder, "backup.db");
  for (const signal of ["SIGTERM", "SIGINT", "SIGKILL"] as const) {
    const child = start(["backup", file, "--data", house.dataFolder]);
    const closed = new Promise((resolve) => child.once("close", resolve));
    const unfinished = () => readdirSync(folder).some((name) => name.endsWith(".partial"));
    while (!unfinished() && child.exitCode === null) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    child.kill(signal);
    const code = await closed;
    if (code === 0) rmSync(file); // it was faster than the signal
    const left = readdirSync(folder);
    assert.ok(!left.includes("backup.db"), signal);
    if (signal !== "SIGKILL") assert.deepEqual(left, [], signal);
  }
  assert.equal((await freehold(["backup", file, "--data", house.dataFolder])).code, 0);
  assert.deepEqual(readdirSync(folder), ["backup.db"]);
});

test("what a backup refuses", async (t) => {
  const { dataFolder } = await startHouse(t);
  const folder = folderFor(t);
  const file = path.join(folder, "backup.db");
  const backUp = async (...args: string[]) => {
    const { code, stdout, stderr } = await freehold(["backup", ...args]);
    assert.deepEqual([code, stdout], [1, ""]);
    return stderr;
  };
  assert.match(await backUp(file, "--data", folder), /there is no freehold\.db in .*--data/);
  assert.match(await backUp(folder, "--data", dataFolder), /is a folder; name a file in it/);
  const inFile = path.join(dataFolder, "cli.key", "b.db");
  assert.match(await backUp(inFile, "--data", dataFolder), /b\.db cannot be written: ENOTDIR/);
  assert.match(await backUp("--data", dataFolder), /backup takes one file/);
  const nowhere = path.join(folder, "no", "b.db");
  assert.match(
    await backUp(nowhere, "--data", dataFolder),
    /there is no folder .*no for the backup/,
  );
  assert.equal((await freehold(["backup", file, "--data", dataFolder])).code, 0);
  assert.match(await backUp(file, "--data", dataFolder), /is there already; .*--replace/);
  assert.equal((await freehold(["backup", file, "--replace", "--data", dataFolder])).code, 0);
});
