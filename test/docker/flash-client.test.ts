// runpod-flash 1.21.0, unmodified: it logs in, deploys an app, calls its function, and deletes everything again.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { codeBlocksFor } from "../docs/code-blocks.ts";
import { witness } from "../fidelity/witness.ts";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { alone } from "../graphql/flash.ts";
import { intercepted } from "../intercept/intercepted.ts";
import { pythonWithFlash } from "../sdk/python-environment.ts";
import { shortTimes } from "../sdk/python-worker.ts";
import { type ContainerService, startContainerService } from "./container-service.ts";
import { ensurePythonImage } from "./python-image.ts";

const folder = path.join(import.meta.dirname, "flash");
const run = promisify(execFile);

/** A project in a folder of its own, and the client's commands in it. */
function makeProject(t: TestContext, service: ContainerService, python: string) {
  const home = mkdtempSync(path.join(tmpdir(), "freehold-flash-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const cwd = path.join(home, "shop");
  mkdirSync(cwd);
  cpSync(path.join(folder, "shop.py"), path.join(cwd, "shop.py"));
  const documented = path.join(home, "my-app");
  mkdirSync(documented);
  const [app = ""] = codeBlocksFor("test/docker/flash-client.test.ts", "docs/flash.md", "python");
  writeFileSync(path.join(documented, "app.py"), app);
  const image = ensurePythonImage(service.host, python, path.join(folder, "worker.py"));
  const { origin } = service;
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    COLUMNS: "200",
    TERM: "xterm",
    CI: "true",
    RUNPOD_API_BASE_URL: origin,
    RUNPOD_CONSOLE_URL: origin,
    RUNPOD_ENDPOINT_BASE_URL: `${origin}/v2`,
    RUNPOD_REST_API_URL: `${origin}/v1`,
    RUNPOD_HAPI_URL: origin,
    FLASH_CPU_IMAGE: image,
    FLASH_CPU_LB_IMAGE: image,
    RUNPOD_FLASH_SILENCE_DEPRECATION: "1",
  };
  const program = path.join(path.dirname(python), "flash");
  const printed = async (command: string, args: string[]) => {
    const { stdout, stderr } = await run(command, args, { env, cwd, timeout: 280_000 });
    return stdout + stderr;
  };
  return {
    /** Logs in, as a person approves it, and returns the file of the client with its key. */
    login: async () => {
      const login = run(program, ["login", "--no-open"], { env, cwd, timeout: 280_000 });
      for await (const line of createInterface(login.child.stdout!)) {
        const id = /\/flash\/login\?request=(\w+)/.exec(line)?.[1];
        if (id !== undefined) await service.call("POST", `/v1/device-logins/${id}/approve`, {});
      }
      await login;
      return readFileSync(path.join(home, ".runpod", "config.toml"), "utf8");
    },
    edit: (from: string, to: string) => {
      const file = path.join(cwd, "shop.py");
      writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
    },
    flash: (...args: string[]) => printed(program, args),
    /** Runs a command in the folder of the documentation's app. */
    runDocumented: async (command: string, ...args: string[]) => {
      const options = { env, cwd: documented, timeout: 280_000 };
      const { stdout, stderr } = await run(command === "flash" ? program : python, args, options);
      return stdout + stderr;
    },
    confirmed: (...args: string[]) =>
      printed(python, [path.join(folder, "confirm.py"), program, ...args]),
    python: (script: string) => printed(python, ["-c", script]),
    /** The command that runs a script in the project. */
    pythonCommand: (script: string) => [
      "sh",
      "-c",
      'cd "$0"; exec "$@"',
      cwd,
      python,
      "-c",
      script,
    ],
  };
}

const ADD = "import asyncio, shop; print(asyncio.run(shop.add(1, b=2)))";

/** A client of a load-balancing function names an image, which it does not use. */
const DOUBLE = `
import asyncio
from runpod_flash import Endpoint

async def main():
    print(await Endpoint(name="api", cpu="cpu3c-1-2", image="any").post("/double", {"a": 4}))

asyncio.run(main())`;

async function sum(service: ContainerService): Promise<number | undefined> {
  const { json } = await service.call(
    "POST",
    "/v2/flash/runsync",
    { input: { a: 1, b: 2 } },
    {
      "x-flash-app": "shop",
      "x-flash-environment": "production",
      "x-flash-endpoint": "adder",
    },
  );
  return json.output?.sum;
}

test("flash logs in, deploys an app, calls it and deletes it", { skip: skipReason }, async (t) => {
  const python = pythonWithFlash(t);
  if (!python) return;
  const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
  const service = await startContainerService(t, {
    ...alone,
    env: { FREEHOLD_MACHINE: machine },
    protocol: { ...shortTimes, leaseMs: 8_000 },
  });
  witness(t, service, "PyPI runpod-flash 1.21.0");
  const project = makeProject(t, service, python);
  const { login, edit, flash, confirmed } = project;

  assert.match(await login(), /^api_key = "fh_\w+"$/m);
  assert.match(await flash("deploy"), /deployed to production/);
  assert.equal(await project.python(ADD), "{'sum': 3}\n");
  // It is called at https://flash.<host>, and calls the other function.
  const doubled = await intercepted(service, ...project.pythonCommand(DOUBLE));
  assert.match(doubled, /{'sum': 8}\n$/);
  const [apps, environment] = await Promise.all([
    flash("app", "list"),
    flash("env", "get", "production"),
  ]);
  assert.match(apps, /shop +1 env +1 build/);
  assert.match(environment, /adder +\w{14}\n +api +\w{14}/);
  edit("a + b", "a * 10 + b");
  await flash("deploy");
  // The worker of the earlier build answers until one of this build is ready.
  await until(async () => (await sum(service)) === 12);
  assert.equal(await project.python(ADD), "{'sum': 12}\n");
  assert.match(await flash("undeploy", "adder", "--force"), /deleted adder/);
  assert.match(await confirmed("app", "delete", "shop"), /deleted app.*shop/);
  assert.match(await flash("app", "list"), /no apps found/);

  const { runDocumented } = project;
  assert.match(await runDocumented("flash", "deploy"), /deployed to production/);
  const call = "import asyncio, app; print(asyncio.run(app.add(1, 2)))";
  assert.equal(await runDocumented("python", "-c", call), "3\n");
});
