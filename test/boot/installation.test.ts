// A start on a data folder whose database is lost, empty or another's: it is refused, and `freehold
// adopt` is the deliberate way on.

import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { freehold } from "../cli/command.ts";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { freshDatabase, missing } from "../postgres/database.ts";

const SIMULATED = ["--drivers", "simulated"];
const DATABASE = ["freehold.db", "freehold.db-wal", "freehold.db-shm"];

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-boot-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Two installations, prepared once; each test gets copies of their folders. */
const installations: { folder: string; id: string }[] = [];

before(async () => {
  for (const name of ["one", "two"]) {
    const folder = mkdtempSync(path.join(tmpdir(), `freehold-boot-${name}-`));
    const service = new Service({ dataFolder: folder, port: await freePort(), flags: SIMULATED });
    assert.ok(await service.ready(), service.stderr);
    assert.deepEqual(await service.end(), { code: 0, signal: null });
    installations.push({ folder, id: textIn(folder, "installation.id") });
  }
});

after(() => {
  for (const { folder } of installations) rmSync(folder, { recursive: true, force: true });
});

/** A new folder with the data of one of the two installations. */
function copyOf(t: TestContext, which: 0 | 1 = 0): { folder: string; id: string } {
  const folder = newFolder(t);
  cpSync(installations[which]!.folder, folder, { recursive: true });
  return { folder, id: installations[which]!.id };
}

/** Starts a service on the folder once and stops it; returns the installation's id. */
async function startOnce(t: TestContext, dataFolder: string, more: string[] = []): Promise<string> {
  const service = await start(t, dataFolder, more);
  assert.ok(await service.ready(), service.stderr);
  service.signal("SIGTERM");
  assert.deepEqual(await service.ended, { code: 0, signal: null });
  return textIn(dataFolder, "installation.id");
}

async function start(t: TestContext, dataFolder: string, more: string[] = []): Promise<Service> {
  const flags = [...SIMULATED, ...more];
  const service = new Service({ dataFolder, port: await freePort(), flags });
  t.after(() => service.end());
  return service;
}

async function refusal(t: TestContext, dataFolder: string, more: string[] = []): Promise<string> {
  const service = await start(t, dataFolder, more);
  assert.deepEqual(await service.ended, { code: 1, signal: null });
  assert.match(service.stderr, /^freehold: [^\n]+\n$/);
  assert.match(service.stderr, /freehold restore/);
  assert.match(service.stderr, /freehold adopt/);
  return service.stderr;
}

const textIn = (folder: string, name: string) =>
  readFileSync(path.join(folder, name), "utf8").trim();

function removeDatabase(folder: string): void {
  for (const name of DATABASE) rmSync(path.join(folder, name), { force: true });
}

test("a missing database is not replaced by an empty one", async (t) => {
  const { folder, id } = copyOf(t);
  removeDatabase(folder);
  assert.match(
    await refusal(t, folder),
    new RegExp(`installation ${id}, .*freehold.db is missing`),
  );
  assert.ok(!existsSync(path.join(folder, "freehold.db")));
});

test("an empty database is refused, also without the folder's id", async (t) => {
  const { folder, id } = copyOf(t);
  removeDatabase(folder);
  writeFileSync(path.join(folder, "freehold.db"), "");
  assert.match(await refusal(t, folder), new RegExp(`installation ${id}, but .* is empty`));
  const machine = textIn(folder, "machine.id");
  rmSync(path.join(folder, "installation.id"));
  assert.match(await refusal(t, folder), new RegExp(`machine ${machine}, but .* is empty`));
});

test("another installation's database is refused, with both ids", async (t) => {
  const [{ folder: one, id }, { folder: two, id: other }] = [copyOf(t, 0), copyOf(t, 1)];
  removeDatabase(one);
  const copied = path.join(newFolder(t), "backup");
  assert.equal((await freehold(["backup", copied, "--data", two])).code, 0);
  writeFileSync(path.join(one, "freehold.db"), readFileSync(copied));
  const sentence = await refusal(t, one);
  assert.match(sentence, new RegExp(`installation ${id}, but .* installation ${other};`));
});

test("after adopt, the folder starts with the database that is there", async (t) => {
  const { folder, id } = copyOf(t);
  const machine = textIn(folder, "machine.id");
  removeDatabase(folder);
  const adopted = await freehold(["adopt", "--data", folder, "--json"]);
  assert.equal(adopted.code, 0, adopted.stderr);
  const { installation } = JSON.parse(adopted.stdout);
  assert.equal(JSON.parse(adopted.stdout).before, id);
  assert.notEqual(installation, id);
  assert.equal(await startOnce(t, folder), installation);
  assert.notEqual(textIn(folder, "machine.id"), machine);
  const again = await freehold(["adopt", "--data", folder]);
  assert.match(again.stderr, /belong together already/);
  assert.equal(again.code, 1);
});

test("adopt refuses a new folder", async (t) => {
  const { code, stderr } = await freehold(["adopt", "--data", newFolder(t)]);
  assert.equal(code, 1);
  assert.match(stderr, /belongs to no installation/);
});

test("a restored backup has its installation; a folder of another refuses it", async (t) => {
  const [{ folder: one, id }, { folder: two, id: other }] = [copyOf(t, 0), copyOf(t, 1)];
  const backup = path.join(newFolder(t), "backup");
  assert.equal((await freehold(["backup", backup, "--data", one])).code, 0);
  const refused = await freehold(["restore", backup, "--data", two, "--replace"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, new RegExp(`installation ${id}, .* installation ${other};`));
  assert.equal(await startOnce(t, two), other);

  truncateSync(path.join(one, "freehold.db"));
  for (const name of DATABASE.slice(1)) rmSync(path.join(one, name), { force: true });
  await refusal(t, one);
  assert.equal((await freehold(["restore", backup, "--data", one, "--replace"])).code, 0);
  assert.equal(await startOnce(t, one), id);

  const elsewhere = newFolder(t);
  writeFileSync(path.join(elsewhere, "secret.key"), `${textIn(one, "secret.key")}\n`);
  assert.equal((await freehold(["restore", backup, "--data", elsewhere])).code, 0);
  assert.equal(await startOnce(t, elsewhere), id);
});

test("a move to PostgreSQL keeps the id, and replicas share it", { skip: missing }, async (t) => {
  const { folder, id } = copyOf(t);
  const url = await freshDatabase(t);
  const moved = await freehold(["move", "--data", folder, "--to", url]);
  assert.equal(moved.code, 0, moved.stderr);
  assert.equal(await startOnce(t, folder, ["--database-url", url]), id);
  const replica = newFolder(t);
  writeFileSync(path.join(replica, "secret.key"), `${textIn(folder, "secret.key")}\n`);
  assert.equal(await startOnce(t, replica, ["--database-url", url]), id);
});

test("an empty PostgreSQL database and another's are refused", { skip: missing }, async (t) => {
  const [one, two] = [newFolder(t), newFolder(t)];
  const [urlOfOne, urlOfTwo] = [await freshDatabase(t), await freshDatabase(t)];
  const id = await startOnce(t, one, ["--database-url", urlOfOne]);
  const empty = await refusal(t, one, ["--database-url", urlOfTwo]);
  assert.match(empty, new RegExp(`installation ${id}, but .* is empty`));
  const other = await startOnce(t, two, ["--database-url", urlOfTwo]);
  const sentence = await refusal(t, one, ["--database-url", urlOfTwo]);
  assert.match(sentence, new RegExp(`installation ${id}, but .* installation ${other};`));
});
