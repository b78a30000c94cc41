// The GitHub Action: a small runner executes its steps as GitHub does, with files for variables, outputs and the path.

import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { load } from "js-yaml";
import { emptyFolder, environment, root, tarball } from "./installed.ts";

interface Step {
  name: string;
  id?: string;
  if?: string;
  shell: string;
  env?: Record<string, string>;
  run: string;
}

interface Action {
  inputs: Record<string, { default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}

const action = load(readFileSync(path.join(root, "action.yml"), "utf8")) as Action;

test("the action starts a service for later steps, and stops it", async (t) => {
  const job = runnerFor(t);
  assert.equal(job.use({ package: tarball("freehold") }).status, 0, job.output());
  const {
    FREEHOLD_URL: url,
    RUNPOD_API_KEY: key,
    RUNPOD_ENDPOINT_BASE_URL: base,
  } = job.variables();
  assert.equal(job.outputs().url, url);
  assert.equal(base, `${url}/v2`);
  assert.match(job.output(), new RegExp(`^::add-mask::${key}$`, "m"));
  const headers = { authorization: `Bearer ${key}` };
  assert.equal((await fetch(`${url}/v1/endpoints`, { headers })).status, 200);
  assert.equal(job.step("freehold --version").status, 0, job.output());

  assert.equal(job.use({ command: "stop" }).status, 0, job.output());
  assert.match(job.output(), /::group::Log of Freehold[\s\S]*REST +http/);
  await assert.rejects(fetch(`${url}/readyz`));
  assert.deepEqual(readdirSync(job.temporary), []);
});

test("the action fails with a sentence and the log of a service that does not start", (t) => {
  const job = runnerFor(t);
  assert.equal(job.use({ package: "none.tgz" }).status, 1);
  assert.match(job.output(), /::error::the input package is "none\.tgz", which is no file/);
  assert.equal(job.use({ package: tarball("freehold"), drivers: "steam" }).status, 1);
  assert.match(job.output(), /steam[\s\S]*::error::Freehold did not start/);
  assert.equal(job.use({ command: "stop" }).status, 0, job.output());
});

test("the workflow of the examples runs a client's tests against the service", (t) => {
  const job = runnerFor(t);
  const file = path.join(root, "examples", "github-actions", "test.yml");
  const { steps } = (load(readFileSync(file, "utf8")) as Workflow).jobs.test;
  cpSync(path.join(root, "examples", "client"), path.join(job.folder, "client"), {
    recursive: true,
  });
  mkdirSync(path.join(job.folder, "vendor"));
  cpSync(tarball("freehold"), path.join(job.folder, "vendor", "freehold.tgz"));
  const own = steps.filter(({ uses }) => !uses?.startsWith("actions/"));
  assert.equal(own.length, 3);
  for (const { uses, run, with: inputs = {} } of own) {
    const { status } = uses ? job.use(inputs) : job.step(run!);
    assert.equal(status, 0, job.output());
  }
  assert.match(job.output(), /the endpoint hello greets[\s\S]*pass 1\n/);
  assert.deepEqual(readdirSync(job.temporary), []);
});

interface Workflow {
  jobs: { test: { steps: { uses?: string; run?: string; with?: Record<string, string> }[] } };
}

function runnerFor(t: TestContext) {
  const folder = emptyFolder(t);
  const file = (name: string) => path.join(folder, name);
  const temporary = file("temporary");
  mkdirSync(temporary);
  for (const name of ["env", "output", "path"]) writeFileSync(file(name), "");
  const pairs = (name: string): Record<string, string> => {
    const lines = readFileSync(file(name), "utf8").split("\n").filter(Boolean);
    return Object.fromEntries(lines.map((line) => /^([^=]+)=(.*)$/.exec(line)!.slice(1)));
  };
  let printed = "";
  t.after(() => existsSync(path.join(temporary, "freehold.pid")) && use({ command: "stop" }));

  function step(run: string, env: Record<string, string> = {}): SpawnSyncReturns<string> {
    const added = readFileSync(file("path"), "utf8").split("\n").filter(Boolean);
    // The output goes to a file: a process in the background would hold a pipe open.
    const ended = spawnSync(
      "bash",
      ["-eo", "pipefail", "-c", `{ ${run}\n} >"${file("log")}" 2>&1`],
      {
        cwd: folder,
        encoding: "utf8",
        env: {
          ...environment,
          ...pairs("env"),
          ...env,
          PATH: [...added, environment.PATH].join(path.delimiter),
          RUNNER_TEMP: temporary,
          GITHUB_ENV: file("env"),
          GITHUB_OUTPUT: file("output"),
          GITHUB_PATH: file("path"),
        },
      },
    );
    printed += readFileSync(file("log"), "utf8");
    return ended;
  }

  /** Runs the action's steps whose conditions hold, up to the first failure. */
  function use(chosen: Record<string, string>): { status: number | null } {
    const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default]);
    const inputs: Record<string, string> = { ...Object.fromEntries(defaults), ...chosen };
    const filled = (text: string) =>
      text.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name) => inputs[name]!);
    for (const { if: condition, shell, env = {}, run } of action.runs.steps) {
      assert.equal(shell, "bash");
      const [, name = "", value] = /^inputs\.(\w+) == '(\w+)'$/.exec(condition ?? "") ?? [];
      if (inputs[name] !== value) continue;
      const values = Object.entries(env).map(([variable, text]) => [variable, filled(text)]);
      const { status } = step(run, Object.fromEntries(values));
      if (status !== 0) return { status };
    }
    return { status: 0 };
  }
  return {
    folder,
    use,
    step,
    temporary,
    output: () => printed,
    variables: () => pairs("env"),
    outputs: () => pairs("output"),
  };
}
