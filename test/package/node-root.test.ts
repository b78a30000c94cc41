// The npm package in a container that has Node, npm and a shell, no other program, no clone and no network.

import assert from "node:assert/strict";
import { chmodSync, cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { docker, ensureImage, sharedEngine, skipReason, which } from "../fixtures/docker/engine.ts";
import { emptyFolder, tarball } from "./installed.ts";

const NPM = "/usr/lib/node_modules/npm";

/** Starts the service as the page on installing says, runs a job, and ends it. Prints what it saw as JSON. */
const SCRIPT = `
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
const began = performance.now();
const args = ["--yes", "file:/work/freehold.tgz", "up", "--listen", "127.0.0.1:8700", "--data", "/tmp/data"];
const service = spawn("npx", args, { stdio: ["ignore", "pipe", "inherit"] });
let screen = "";
for await (const piece of service.stdout) if ((screen += piece).includes("clients:")) break;
const readySeconds = (performance.now() - began) / 1000;
const authorization = "Bearer " + readFileSync("/tmp/data/cli.key", "utf8").trim();
const headers = { authorization, "content-type": "application/json" };
const body = JSON.stringify({ input: { name: "you" } });
const answer = await fetch("http://127.0.0.1:8700/v2/hello/runsync?wait=60000", { method: "POST", headers, body });
const job = await answer.json();
const page = await (await fetch("http://127.0.0.1:8700/", { headers: { accept: "text/html" } })).text();
console.log(JSON.stringify({ programs: readdirSync("/usr/bin").sort(), readySeconds, job, page }));
process.exit();
`;

test("npx starts the service and runs a job where there is only Node", {
  skip: skipReason,
}, async (t) => {
  const folder = emptyFolder(t);
  chmodSync(folder, 0o755);
  cpSync(tarball("freehold"), path.join(folder, "freehold.tgz"));
  writeFileSync(path.join(folder, "script.mjs"), SCRIPT);
  mkdirSync(path.join(folder, "bin"));
  symlinkSync(`${NPM}/bin/npx-cli.js`, path.join(folder, "bin", "npx"));
  const npm = path.dirname(path.dirname(realpathSync(which("npm"))));
  const host = await sharedEngine();
  // npm and the package start with /usr/bin/env.
  const programs = ["env", "sh"].map((name): [string, string] => [name, which(name)]);
  const image = ensureImage(host, `freehold-test-npm:${process.versions.node}`, () => [
    ...programs,
    ["node", process.execPath],
  ]);
  const folders = ["--volume", `${folder}:/work:ro`, "--volume", `${npm}:${NPM}:ro`];
  const bare = ["--rm", "--init", "--network", "none", "--env", "PATH=/usr/bin:/work/bin"];
  const output = docker(host, "run", ...bare, ...folders, image, "node", "/work/script.mjs");
  const result = JSON.parse(output.split("\n").at(-1)!);
  t.diagnostic(`ready after ${result.readySeconds.toFixed(1)} s`);
  assert.deepEqual(result.programs, ["env", "node", "sh"]);
  assert.equal(result.job.status, "COMPLETED", JSON.stringify(result.job));
  assert.deepEqual(result.job.output, { message: "Hello, you!" });
  assert.match(result.page, /src="\/assets\//);
});
