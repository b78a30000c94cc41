// The npm packages as a user has them: installed into an empty folder, without a registry and without a clone.
// bin/test.mjs builds them.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { Worker } from "node:worker_threads";
import { startService } from "../fixtures/service/service.ts";
import { freshDatabase, missing as postgresMissing } from "../postgres/database.ts";
import {
  answerOf,
  emptyFolder,
  environment,
  installNpm,
  root,
  tarball,
  until,
} from "./installed.ts";

const shared = mkdtempSync(path.join(tmpdir(), "freehold-package-"));
after(() => rmSync(shared, { recursive: true, force: true }));
const modules = installNpm(shared, "freehold");

const worker = `import { type Job, serve } from "freehold-worker";
const greet = ({ input }: Job<{ name: string }>) => ({ message: "Hello, " + input.name });
await serve<{ name: string }, { message: string }>({ handler: greet });
`;

test("the package freehold is small, and has no dependencies and no install scripts", () => {
  assert.ok(statSync(tarball("freehold")).size < 15_000_000);
  assert.deepEqual(
    readdirSync(modules).filter((name) => !name.startsWith(".")),
    ["freehold"],
  );
  const manifest = JSON.parse(readFileSync(path.join(modules, "freehold", "package.json"), "utf8"));
  for (const member of ["dependencies", "optionalDependencies", "scripts"])
    assert.equal(manifest[member], undefined);
  const licenses = readFileSync(path.join(modules, "freehold", "THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const name of ["fastify", "pg", "ssh2", "react"])
    assert.match(licenses, new RegExp(`^${name} \\d`, "m"));
});

test("npx with the package starts a service with its pages, its worker and its threads", async (t) => {
  const folder = emptyFolder(t);
  const npx = ["npx", "--offline", "--yes", `file:${tarball("freehold")}`];
  const screen = await until(t, folder, [...npx, "up", "--listen", "127.0.0.1:0"], /clients:/);
  const curl = /^ {2}try it: +(curl .*)$/m.exec(screen)?.[1];
  assert.ok(curl, screen);
  const { stdout } = spawnSync("sh", ["-c", curl], { encoding: "utf8" });
  assert.deepEqual(JSON.parse(stdout).output, { message: "Hello, you!" });

  const origin = /REST +(\S+)\/v1/.exec(screen)![1]!;
  const page = await answerOf(`${origin}/`, { headers: { accept: "text/html" } });
  const [, asset] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  assert.ok(asset, page);
  await answerOf(`${origin}${asset}`);
  assert.match(await answerOf(`${origin}/v1/docs`), /API reference/);
  assert.ok((await answerOf(`${origin}/v1/docs/scalar.js`)).length > 1_000_000);
  const docs = await answerOf(`${origin}/docs`);
  const parts = [...docs.matchAll(/(?:src|href)="(\/(?:assets|docs\/console)\/[^"]+)"/g)];
  assert.equal(parts.length, 3, "script, styles and a picture");
  for (const [, address] of parts) await answerOf(`${origin}${address}`);
  assert.match(await answerOf(`${origin}/docs/pods.md`), /^# Pods\n/);
  assert.equal(JSON.parse(await answerOf(`${origin}/v1/openapi.json`)).openapi.split(".")[0], "3");
  const key = readFileSync(path.join(folder, ".freehold", "cli.key"), "utf8").trim();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const query = { method: "POST", headers, body: '{"query":"{ gpuTypes { id } }"}' };
  assert.match(await answerOf(`${origin}/graphql`, query), /"id"/);

  const { status, stderr } = spawnSync(npx[0]!, [...npx.slice(1), "backup", "copy.db"], {
    cwd: folder,
    env: environment,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  assert.ok(statSync(path.join(folder, "copy.db")).size > 0);
});

test("the bundle's checkpoint thread copies SQLite's log", async (t) => {
  const folder = emptyFolder(t);
  const engine = path.join("freehold", "lib", "src", "store", "engine");
  const file = path.join(folder, "a.db");
  const database = new DatabaseSync(file);
  database.exec("pragma journal_mode = wal; create table a (b)");
  const script = path.join(modules, engine, "sqlite", "checkpoint-thread.js");
  const thread = new Worker(script, { workerData: file });
  thread.postMessage(null);
  const [left] = await once(thread, "message");
  assert.equal(typeof left, "number");
  await thread.terminate();
  database.close();
});

test("the bundle runs on PostgreSQL", { skip: postgresMissing }, async (t) => {
  const folder = emptyFolder(t);
  const command = [process.execPath, freehold(), "up"];
  const url = await freshDatabase(t);
  const args = ["--listen", "127.0.0.1:0", "--database-url", url];
  assert.match(await until(t, folder, [...command, ...args], /clients:/), /postgres/);
});

test("a Node that is too old gets a sentence", (t) => {
  const folder = emptyFolder(t);
  const command = freehold();
  const old = `Object.defineProperty(process.versions, "node", { value: "20.1.0" })`;
  const args = ["--import", `data:text/javascript,${encodeURIComponent(old)}`, command, "up"];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /^freehold: Freehold needs Node 24 or later, and this is v.*Install/);
});

test("freehold dev runs a TypeScript worker in a folder with nothing installed", async (t) => {
  const folder = emptyFolder(t);
  const command = [process.execPath, freehold(), "dev"];
  writeFileSync(path.join(folder, "worker.ts"), worker);
  writeFileSync(path.join(folder, "test_input.json"), '{"input":{"name":"you"}}');
  const args = ["worker.ts", "--listen", "127.0.0.1:0", "--data", path.join(folder, "data")];
  const screen = await until(t, folder, [...command, ...args], /worker \w{4} serves, /);
  const curl = /^ {2}try it: +(curl .*)$/m.exec(screen)?.[1];
  assert.ok(curl, screen);
  const { stdout } = spawnSync("sh", ["-c", curl], { encoding: "utf8" });
  assert.deepEqual(JSON.parse(stdout).output, { message: "Hello, you" });
});

test("a worker that imports freehold-worker is type-checked, and serves", async (t) => {
  const folder = emptyFolder(t);
  const own = installNpm(folder, "freehold-worker");
  assert.deepEqual(
    readdirSync(own).filter((name) => !name.startsWith(".")),
    ["freehold-worker"],
  );
  const file = path.join(folder, "worker.ts");
  writeFileSync(file, worker);
  assert.equal(typeErrors(folder, file), "");
  const wrong = path.join(folder, "wrong.ts");
  writeFileSync(wrong, worker.replace("input.name", "input.nmae"));
  assert.match(typeErrors(folder, wrong), /wrong\.ts\(2,.*nmae/);

  const service = await startService(t, { drivers: "process" });
  const endpoint = await service.makeEndpoint({
    template: { driver: "process", dockerStartCmd: [process.execPath, file] },
  });
  const { json } = await service.call("POST", `/v2/${endpoint}/runsync`, {
    input: { name: "you" },
  });
  assert.deepEqual(json.output, { message: "Hello, you" });
});

test("freehold deploy puts the worker library into the context of a TypeScript worker", async (t) => {
  const folder = emptyFolder(t);
  const service = await startService(t);
  const app = path.join(folder, "app");
  mkdirSync(app);
  writeFileSync(path.join(app, "worker.ts"), worker);
  // The engine runs the worker as its image would.
  const engine = `#!/bin/sh
[ "$1" = build ] || exit 0
for context; do :; done
'${process.execPath}' "$context/worker.ts" --test_input '{"input":{"name":"you"}}' > output
echo sha256:0123456789abcdef0123 > "$3"
`;
  writeFileSync(path.join(folder, "engine"), engine, { mode: 0o755 });
  const args = [freehold(), "deploy", app, "--engine", path.join(folder, "engine")];
  const env = { ...environment, FREEHOLD_URL: service.origin, FREEHOLD_KEY: service.key };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: "inherit" });
  assert.deepEqual(await once(child, "exit"), [0, null]);
  assert.match(readFileSync(path.join(folder, "output"), "utf8"), /Hello, you/);
});

test("freehold dev prefers the worker library that is installed", async (t) => {
  const folder = emptyFolder(t);
  const own = path.join(folder, "node_modules", "freehold-worker");
  mkdirSync(own, { recursive: true });
  writeFileSync(path.join(own, "package.json"), '{"type":"module","exports":"./index.js"}');
  writeFileSync(path.join(own, "index.js"), 'export const serve = () => console.log("their own");');
  writeFileSync(path.join(folder, "worker.ts"), worker);
  const command = [process.execPath, freehold(), "dev"];
  const args = ["worker.ts", "--listen", "127.0.0.1:0", "--data", path.join(folder, "data")];
  await until(t, folder, [...command, ...args], /their own/);
});

test("the Makefile of the examples runs a client's tests against a service", (t) => {
  const folder = emptyFolder(t);
  for (const name of ["client", "make"])
    cpSync(path.join(root, "examples", name), path.join(folder, name), { recursive: true });
  const PATH = [path.join(modules, ".bin"), environment.PATH].join(path.delimiter);
  const { status, stdout, stderr } = spawnSync("make", ["test"], {
    cwd: path.join(folder, "make"),
    env: { ...environment, PATH },
    encoding: "utf8",
  });
  assert.match(stdout, /the endpoint hello greets/, stderr);
  assert.equal(status, 0, stderr);
});

/** The command of an installation that several tests share. */
function freehold(): string {
  return path.join(modules, "freehold", "freehold.mjs");
}

function typeErrors(folder: string, file: string): string {
  const tsc = path.join(root, "node_modules", ".bin", "tsc");
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
  return spawnSync(tsc, [...flags, file], { cwd: folder, encoding: "utf8" }).stdout;
}
