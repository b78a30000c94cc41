// Tests of the published package as a user installs it in an empty folder: the worker library with
// its types, and the command. Needs npm and its registry, or its cache.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { machineEnv } from "../cli/machine-node.ts";
import { startService } from "../fixtures/service/service.ts";

const root = path.join(import.meta.dirname, "..", "..");
const folder = mkdtempSync(path.join(tmpdir(), "freehold-package-"));
let noRegistry: string | null = null;

function npm(cwd: string, ...args: string[]): string {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  const { status, stdout, stderr } = spawnSync("npm", [...args, ...quiet], {
    cwd,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  assert.equal(status, 0, `npm ${args.join(" ")}\n${stderr}`);
  return stdout;
}

before(() => {
  npm(root, "pack", "--pack-destination", folder);
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  writeFileSync(path.join(folder, "package.json"), '{"private": true, "type": "module"}');
  try {
    npm(folder, "install", "--prefer-offline", `./${tarball}`);
  } catch (error) {
    const { message } = error as Error;
    if (!/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED)\b/.test(message)) throw error;
    noRegistry = "npm's registry does not answer, and its cache has not all it takes";
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

function installed(name: string, body: (t: TestContext) => Promise<void>): void {
  test(name, (t) => (noRegistry ? t.skip(noRegistry) : body(t)));
}

const worker = `import { type Job, serve } from "freehold";
const greet = ({ input }: Job<{ name: string }>) => ({ message: "Hello, " + input.name });
await serve<{ name: string }, { message: string }>({ handler: greet });
`;

installed("a worker that imports it is type-checked, and serves", async (t) => {
  const file = path.join(folder, "worker.ts");
  writeFileSync(file, worker);
  assert.equal(typeErrors(file), "");
  const wrong = path.join(folder, "wrong.ts");
  writeFileSync(wrong, worker.replace("input.name", "input.nmae"));
  assert.match(typeErrors(wrong), /wrong\.ts\(2,.*nmae/);

  const service = await startService(t, { drivers: "process" });
  const endpoint = await service.makeEndpoint({
    template: { driver: "process", dockerStartCmd: [process.execPath, file] },
  });
  const { json } = await service.call("POST", `/v2/${endpoint}/runsync`, {
    input: { name: "you" },
  });
  assert.deepEqual(json.output, { message: "Hello, you" });
});

installed("npx freehold up starts, and the curl that it prints gets its answer", async (t) => {
  const data = path.join(folder, "data");
  const command = ["freehold", "up", "--listen", "127.0.0.1:0", "--data", data];
  const stdio: ["ignore", "pipe", "inherit"] = ["ignore", "pipe", "inherit"];
  // Its own process group, because npx does not forward a signal.
  const child = spawn("npx", command, { cwd: folder, stdio, detached: true });
  const over = new Promise((resolve) => child.on("close", resolve));
  t.after(() => {
    process.kill(-child.pid!, "SIGTERM");
    return over;
  });
  let screen = "";
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (piece) => {
      screen += piece;
      if (screen.includes("clients:")) resolve();
    });
    child.on("close", () => resolve());
  });
  const curl = /^ {2}try it: +(curl .*)$/m.exec(screen)?.[1];
  assert.ok(curl, screen);
  const { stdout } = spawnSync("sh", ["-c", curl], { encoding: "utf8" });
  assert.deepEqual(JSON.parse(stdout).output, { message: "Hello, you!" });
});

installed("the machine's own Node runs the command", async () => {
  const bin = path.join(folder, "node_modules", "freehold", "bin", "freehold.mjs");
  const { stdout, stderr } = spawnSync("node", [bin, "--version"], {
    env: machineEnv,
    encoding: "utf8",
  });
  assert.match(stdout, /^freehold \d/, stderr);
});

function typeErrors(file: string): string {
  const tsc = path.join(root, "node_modules", ".bin", "tsc");
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
  return spawnSync(tsc, [...flags, file], { cwd: folder, encoding: "utf8" }).stdout;
}
