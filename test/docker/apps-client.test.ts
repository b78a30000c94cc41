// Apps of runpod 2.0.0rc2, unmodified: it logs in, deploys an app, calls its functions, and deletes everything again.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { witness } from "../fidelity/witness.ts";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { alone } from "../graphql/flash.ts";
import { pythonWith, versionOf, wheelsToPack } from "../sdk/python-environment.ts";
import { shortTimes } from "../sdk/python-worker.ts";
import { type ContainerService, startContainerService } from "./container-service.ts";
import { ensurePythonImage } from "./python-image.ts";

const folder = path.join(import.meta.dirname, "apps");
const run = promisify(execFile);

interface Client {
  service: ContainerService;
  python: string;
  wheels: string;
}

/** The app in a folder of its own, and the client's commands in it. */
function makeProject(t: TestContext, { service, python, wheels }: Client) {
  const home = mkdtempSync(path.join(tmpdir(), "freehold-apps-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const cwd = path.join(home, "project");
  mkdirSync(cwd);
  const source = path.join(cwd, "tally.py");
  cpSync(path.join(folder, "tally.py"), source);
  const { origin } = service;
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    COLUMNS: "200",
    TERM: "xterm",
    RUNPOD_API_BASE_URL: origin,
    RUNPOD_CONSOLE_URL: origin,
    RUNPOD_ENDPOINT_BASE_URL: `${origin}/v2`,
    RUNPOD_RUNTIME_TAG: tagImage(service, python),
    PIP_NO_INDEX: "1",
    PIP_FIND_LINKS: wheels,
  };
  const options = { env, cwd, timeout: 280_000 };
  const program = path.join(path.dirname(python), "rp");
  const printed = async (command: string, args: string[]) => {
    const { stdout, stderr } = await run(command, args, options);
    return stdout + stderr;
  };
  return {
    /** Logs in, as a person approves it, and returns the file of the client with its key. */
    login: async () => {
      const login = run(program, ["login", "--no-open"], options);
      for await (const line of createInterface(login.child.stdout!)) {
        const id = /\/flash\/login\?request=(\w+)/.exec(line)?.[1];
        if (id !== undefined) await service.call("POST", `/v1/device-logins/${id}/approve`, {});
      }
      await login;
      return readFileSync(path.join(home, ".runpod", "config.toml"), "utf8");
    },
    edit: (from: string, to: string) =>
      writeFileSync(source, readFileSync(source, "utf8").replace(from, to)),
    flash: (...args: string[]) => printed(program, ["flash", ...args]),
    python: (script: string) => printed(python, ["-c", `import tally; ${script}`]),
  };
}

/** The client names the images of its workers itself, but for their tag. */
function tagImage(service: ContainerService, python: string): string {
  const image = ensurePythonImage(service.host, python, path.join(folder, "worker.py"));
  const tag = image.split(":")[1]!;
  service.docker("tag", image, `runpod/queue:py${versionOf(python)}-${tag}`);
  return tag;
}

async function sum(service: ContainerService): Promise<number | undefined> {
  const name = { "x-flash-app": "tally", "x-flash-environment": "default" };
  const { json } = await service.call(
    "POST",
    "/v2/flash/runsync",
    { input: { a: 1, b: 2 } },
    { ...name, "x-flash-endpoint": "adder" },
  );
  return json.output?.sum;
}

test("rp logs in, deploys an app, calls it and deletes it", { skip: skipReason }, async (t) => {
  const python = pythonWith(t, "2.0.0rc2");
  const wheels = python && wheelsToPack(t, python);
  if (!wheels) return;
  const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
  const service = await startContainerService(t, {
    ...alone,
    env: { FREEHOLD_MACHINE: machine },
    protocol: { ...shortTimes, leaseMs: 8_000 },
  });
  witness(t, service, "PyPI runpod 2.0.0rc2, its apps");
  const { login, edit, flash, python: script } = makeProject(t, { service, python, wheels });

  assert.match(await login(), /^api_key = "fh_\w+"$/m);
  assert.match(await flash("deploy"), /tally\/default is live/);
  assert.equal(await script("print(tally.add.remote(1, b=2))"), "{'sum': 3}\n");
  assert.equal(await script("print(list(tally.count.stream(3)))"), "[0, 1, 2]\n");
  const [apps, environment] = await Promise.all([
    flash("app", "list"),
    flash("env", "get", "default", "--app", "tally"),
  ]);
  assert.match(apps, /tally +default/);
  assert.match(environment, /adder +\w{14}/);
  edit("a + b", "a * 10 + b");
  await flash("deploy");
  // The worker of the earlier build answers until one of this build is ready.
  await until(async () => (await sum(service)) === 12);
  const job = "job = tally.add.spawn(1, 2); print(job.result())";
  assert.equal(await script(job), "{'sum': 12}\n");
  assert.match(await flash("undeploy", "--app", "tally", "--yes"), /2 endpoints removed/);
  assert.match(await flash("app", "delete", "tally", "--yes"), /deleted tally/);
  assert.match(await flash("app", "list"), /no apps deployed/);
});
