// One service of the kit `freehold-testing` for 1,000 tests, each of which creates an endpoint, runs a job on a worker of
// its own, reads it and deletes the endpoint. Prints what a test takes and what the service has grown to, per hundred
// tests. It needs the packages of `npm run release`. Usage: node bin/run.mjs bench/testing/main.ts [tests]

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const release = path.join(import.meta.dirname, "..", "..", "dist", "release");
const folder = mkdtempSync(path.join(tmpdir(), "freehold-bench-testing-"));
const temporary = path.join(folder, "temporary");

const WORKER = `import { serve } from "freehold-worker";
await serve({ handler: ({ input }) => ({ n: input.n }) });
`;

const TESTS = `import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import { startFreehold } from "freehold-testing";

const began = performance.now();
const freehold = await startFreehold();
console.error("ready after", Math.round(performance.now() - began), "ms");
const times = [];

async function grown() {
  const [data] = readdirSync(process.env.TMPDIR);
  const { stdout } = spawnSync("ps", ["-eo", "rss=,times=,args="], { encoding: "utf8" });
  const line = stdout.split("\\n").find((each) => each.includes(data) && each.includes("--temporary"));
  const [kb, cpu] = line.trim().split(/ +/).map(Number);
  const files = readdirSync(path.join(process.env.TMPDIR, data), { recursive: true }).length;
  const left = await Promise.all(["endpoints", "templates"].map((noun) => freehold.call("GET", "/v1/" + noun)));
  return { cpu, memory: Math.round(kb / 1_000), files, left: left.map((list) => list.length) };
}

after(() => freehold.stop());
let before = await grown();
const count = Number(process.env.TESTS);
for (let n = 1; n <= count; n++) {
  test("test " + n, async () => {
    const start = performance.now();
    const endpoint = await freehold.endpoint("worker.js");
    const job = await endpoint.runsync({ n });
    assert.deepEqual(job.output, { n });
    assert.equal((await endpoint.status(job.id)).status, "COMPLETED");
    await endpoint.delete();
    times.push(performance.now() - start);
    if (n % 100 !== 0 && n !== count) return;
    const now = await grown();
    const sorted = times.splice(0).sort((a, b) => a - b);
    const cpu = Math.round(((now.cpu - before.cpu) / sorted.length) * 1_000);
    console.error([n, Math.round(sorted[sorted.length >> 1]), cpu, now.memory, now.files, now.left.join("+")].join(" | "));
    before = now;
  });
}
`;

try {
  writeFileSync(path.join(folder, "package.json"), '{"private": true, "type": "module"}');
  writeFileSync(path.join(folder, "worker.js"), WORKER);
  writeFileSync(path.join(folder, "many.test.mjs"), TESTS);
  mkdirSync(temporary);
  const packages = readdirSync(release).filter((name) => name.endsWith(".tgz"));
  const quiet = ["--silent", "--offline", "--no-audit", "--no-fund"];
  const files = packages.map((name) => path.join(release, name));
  spawnSync("npm", ["install", ...quiet, ...files], { cwd: folder, stdio: "inherit" });
  const header = ["tests", "ms, p50", "service's CPU ms", "service's MB", "files", "left"];
  process.stderr.write(`${header.join(" | ")}\n`);
  const env = { ...process.env, TMPDIR: temporary, TESTS: process.argv[2] ?? "1000" };
  const { status } = spawnSync(process.execPath, ["many.test.mjs"], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  process.stdout.write(`exit code ${status}; left in the folder: ${readdirSync(temporary)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
