// The test kits as a user has them: the plugin of pytest in a fresh virtual environment, and the kit for node:test and
// vitest in an empty folder.

import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { until } from "../fixtures/until.ts";
import { pythonWith } from "../sdk/python-environment.ts";
import { emptyFolder, environment, installNpm, installWheels, root } from "./installed.ts";
import { leavesNothing } from "./killed-kit.ts";

const pytestFile = `import os
import pytest
import runpod
from pytest_freehold import JobFailed

def greet(job):
    return {"message": "Hello, " + job["input"]["name"]}

def test_a_function_is_a_handler(freehold):
    with freehold.endpoint(greet) as endpoint:
        assert runpod.endpoint_url_base == freehold.url + "/v2"
        job = endpoint.runsync({"name": "you"})
    assert (job["status"], job["output"]) == ("COMPLETED", {"message": "Hello, you"})
    with pytest.raises(RuntimeError, match="404"):
        endpoint.status(job["id"])

def test_a_script_is_a_handler(freehold, tmp_path):
    script = tmp_path / "worker.py"
    script.write_text("import runpod\\nrunpod.serverless.start({'handler': lambda job: 7})\\n")
    runpod.api_key = freehold.key
    with freehold.endpoint(script) as endpoint:
        job = runpod.Endpoint(endpoint.id).run({})
        assert job.output(timeout=60) == 7

def test_time_moves(freehold):
    with freehold.endpoint(greet) as endpoint:
        job = endpoint.runsync({"name": "you"})
        before = freehold.clock.now()
        assert freehold.clock.advance("7d") > before
        with pytest.raises(RuntimeError, match="404"):
            endpoint.status(job["id"])
        assert endpoint.runsync({"name": "you"})["status"] == "COMPLETED"
        with pytest.raises(RuntimeError, match="moves only forward"):
            freehold.clock.to(before)

def test_results_are_kept_for_a_week(freehold):
    week = {"resultRetentionMs": 7 * 24 * 3600 * 1000}
    with freehold.endpoint(greet, settings=week) as endpoint:
        job = endpoint.runsync({"name": "you"})
        freehold.clock.advance("6d")
        assert endpoint.status(job["id"])["status"] == "COMPLETED"
        freehold.clock.advance("2d")
        with pytest.raises(RuntimeError, match="404"):
            endpoint.status(job["id"])

def test_a_handler_that_raises(freehold):
    with freehold.endpoint(greet) as endpoint:
        with pytest.raises(JobFailed, match="(?s)Traceback.*KeyError: 'name'") as failed:
            endpoint.runsync({})
        assert failed.value.job["status"] == "FAILED"
        assert endpoint.runsync({}, check=False)["status"] == "FAILED"

def test_faults_strike(freehold):
    with freehold.fault("429-storm", match="/v1/pods", duration="5m") as fault:
        with pytest.raises(RuntimeError, match="429"):
            freehold.call("GET", "/v1/pods")
        assert fault.hits == 1
    assert freehold.call("GET", "/v1/pods") == []
    with pytest.raises(RuntimeError, match="no fault"):
        freehold.fault("rain")

def test_what_cannot_be_a_handler(freehold):
    with pytest.raises(ValueError, match="top level"):
        freehold.endpoint(lambda job: 1)
    with pytest.raises(ValueError, match="there is no file"):
        freehold.endpoint("none.py")
    print("the data is in", freehold.data)
`;

/** Another program cannot take the port before the first test starts the service. */
const pytestAtOnce = `import os
import socket
import pytest

def test_the_port_is_reserved():
    host, port = os.environ["RUNPOD_ENDPOINT_BASE_URL"].split("/")[2].split(":")
    with socket.socket() as other, pytest.raises(OSError):
        other.bind((host, int(port)))

def test_a_service_for_each_session(freehold):
    assert freehold.call("GET", "/v1/pods") == []
    print("the service is", freehold.url)
`;

const pytestCrash = `def test_an_import_fails(freehold, tmp_path):
    script = tmp_path / "worker.py"
    script.write_text("import no_such_module\\n")
    with freehold.endpoint(script) as endpoint:
        endpoint.runsync({})
`;

/** The worker serves nothing: it only is a process that must end. */
const pytestHeld = `import json
import time

def test_it_is_killed(freehold, tmp_path):
    file, script = tmp_path / "pid", tmp_path / "worker.py"
    script.write_text(f"import os, signal\\nprint(os.getpid(), file=open({str(file)!r}, 'w'), flush=True)\\nsignal.pause()\\n")
    freehold.endpoint(script)
    while not (file.exists() and file.read_text().endswith("\\n")):
        time.sleep(0.02)
    print("\\n" + json.dumps({"url": freehold.url, "data": freehold.data, "worker": int(file.read_text())}), flush=True)
    time.sleep(1000)
`;

test("pytest-freehold runs handlers on a service of its own, and leaves nothing", async (t) => {
  const python = pythonWith(t, "1.12.0");
  const programs = python && installWheels(t, ["freehold", "pytest-freehold"], { python });
  if (!programs || !python) return;
  const folder = emptyFolder(t);
  writeFileSync(path.join(folder, "test_worker.py"), pytestFile);
  // The SDK of another environment, because its installation takes half a minute.
  const libraries = path.join(path.dirname(path.dirname(python)), "lib");
  const [version] = readdirSync(libraries).filter((name) => name.startsWith("python3"));
  const sdk = path.join(libraries, version!, "site-packages");
  const env = { ...environment, PYTHONPATH: sdk, PYTHONDONTWRITEBYTECODE: "1" };
  const command = path.join(programs, "python");
  const args = ["-m", "pytest", "-q", "-s", "-p", "no:cacheprovider"];
  const { stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: "utf8" });
  assert.match(stdout, /7 passed/, stdout + stderr);
  const [, data] = /the data is in (\S+)/.exec(stdout) ?? [];
  assert.ok(data && !existsSync(data));
  assert.deepEqual(readdirSync(folder), ["test_worker.py"]);

  writeFileSync(path.join(folder, "test_crash.py"), pytestCrash);
  const failed = spawnSync(command, [...args, "test_crash.py"], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  assert.match(failed.stdout, /1 failed/);
  assert.match(failed.stdout, /JobFailed: job \S+ has no worker/);
  assert.match(failed.stdout, /-- worker log of \w+ --[\s\S]*No module named 'no_such_module'/);
  assert.match(failed.stdout, /-- why \w+ --/);
  rmSync(path.join(folder, "test_crash.py"));

  writeFileSync(path.join(folder, "test_two.py"), pytestAtOnce);
  const session = () =>
    promisify(execFile)(command, [...args, "test_two.py"], { cwd: folder, env });
  const sessions = await Promise.all([session(), session()]);
  const services = sessions.map((each) => /the service is (\S+)/.exec(each.stdout)?.[1]);
  assert.equal(new Set(services).size, 2, `${services}`);

  writeFileSync(path.join(folder, "test_held.py"), pytestHeld);
  for (const signal of ["SIGKILL", "SIGINT"] as const)
    await leavesNothing([command, ...args, "test_held.py"], { cwd: folder, env }, signal);

  const example = path.join(folder, "example");
  cpSync(path.join(root, "examples", "pytest"), example, { recursive: true });
  const ci = path.join(folder, "ci");
  cpSync(path.join(root, "examples", "ci"), ci, { recursive: true });
  const workflow = readFileSync(path.join(ci, ".github", "workflows", "test.yml"), "utf8");
  assert.match(workflow, /^ +- run: pytest$/m);
  initialize([path.join(programs, "freehold")], folder, "greeter");
  for (const [cwd, summary] of [
    [example, /2 passed/],
    [path.join(folder, "greeter"), /2 passed/],
    [ci, /10 passed/],
  ] as const) {
    const ended = spawnSync(command, args, { cwd, env, encoding: "utf8" });
    assert.match(ended.stdout, summary, ended.stdout + ended.stderr);
  }
});

const worker = `import { serve } from "freehold-worker";
function greet({ input }) {
  if (!input.name) throw new Error("there is no name");
  return { message: "Hello, " + input.name };
}
await serve({ handler: greet });
`;
const body = `
  const endpoint = await freehold.endpoint("worker.js");
  const job = await endpoint.runsync({ name: "you" });
  assert.deepEqual(job.output, { message: "Hello, you" });
  assert.equal(process.env.RUNPOD_ENDPOINT_BASE_URL, freehold.url + "/v2");
  const before = await freehold.clock.now();
  assert.ok((await freehold.clock.advance("7d")) > before);
  assert.equal((await endpoint.runsync({ name: "you" })).status, "COMPLETED");
  const fault = await freehold.fault("429-storm", { match: "/v1/pods" });
  await assert.rejects(freehold.call("GET", "/v1/pods"), /429/);
  assert.equal(await fault.hits(), 1);
  await fault.off();
  assert.deepEqual(await freehold.call("GET", "/v1/pods"), []);
  const failed = await endpoint.runsync({}).catch((error) => error);
  assert.equal(failed.name, "JobFailed");
  assert.match(failed.message, /there is no name/);
  assert.equal((await endpoint.runsync({}, { check: false })).status, "FAILED");
  const crashing = await freehold.endpoint("crash.js");
  await assert.rejects(crashing.runsync({}), /has no worker[\\s\\S]*no-such-package/);
  await endpoint.delete();
  await assert.rejects(endpoint.status(job.id), /404/);
  await assert.rejects(freehold.endpoint("none.js"), /there is no file/);
`;

test("freehold-testing runs workers for node:test", (t) => {
  const folder = emptyFolder(t);
  installNpm(folder, "freehold", "freehold-worker", "freehold-testing");
  writeFileSync(path.join(folder, "worker.js"), worker);
  writeFileSync(path.join(folder, "crash.js"), 'import "no-such-package";\n');
  const file = `import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connectFreehold, startFreehold } from "freehold-testing";
assert.throws(connectFreehold, /no Freehold is running/);
const other = await startFreehold();
const freehold = await startFreehold();
after(async () => {
  await other.stop();
  assert.equal(process.env.RUNPOD_ENDPOINT_BASE_URL, freehold.url + "/v2");
  await freehold.stop();
  assert.equal(process.env.RUNPOD_ENDPOINT_BASE_URL, undefined);
});
test("the worker greets", async () => {${body}});
`;
  // At once, each with services of its own.
  const files = ["a.test.mjs", "b.test.mjs"];
  for (const each of files) writeFileSync(path.join(folder, each), file);
  const env = { ...environment, TMPDIR: path.join(folder, "temporary") };
  mkdirSync(env.TMPDIR);
  const args = ["--test", ...files];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" });
  assert.match(stdout, /pass 2\n[\s\S]*fail 0/, stdout);
  assert.deepEqual(readdirSync(env.TMPDIR), []);
  assert.equal(typeErrors(folder), "");

  const freehold = path.join(folder, "node_modules", "freehold", "freehold.mjs");
  initialize([process.execPath, freehold], folder, "greeter", "--javascript");
  const greeter = path.join(folder, "greeter");
  const ended = spawnSync("npm", ["test"], { cwd: greeter, env: environment, encoding: "utf8" });
  assert.match(ended.stdout, /pass 2\n[\s\S]*fail 0/, ended.stdout + ended.stderr);
});

const nodeHeld = `import { readdirSync } from "node:fs";
import { startFreehold } from "freehold-testing";
const freehold = await startFreehold();
const { output } = await (await freehold.endpoint("worker.js")).runsync({});
const [data] = readdirSync(process.env.TMPDIR);
console.log(JSON.stringify({ url: freehold.url, data: process.env.TMPDIR + "/" + data, worker: output }));
`;

test("a service of freehold-testing ends with its process", async (t) => {
  const folder = emptyFolder(t);
  installNpm(folder, "freehold", "freehold-worker", "freehold-testing");
  const pid =
    'import { serve } from "freehold-worker";\nawait serve({ handler: () => process.pid });';
  writeFileSync(path.join(folder, "worker.js"), pid);
  const held = path.join(folder, "held.mjs");
  const env = { ...environment, TMPDIR: path.join(folder, "temporary") };
  mkdirSync(env.TMPDIR);
  writeFileSync(held, `${nodeHeld}setInterval(() => {}, 1000);`);
  for (const signal of ["SIGKILL", "SIGINT"] as const)
    await leavesNothing([process.execPath, held], { cwd: folder, env }, signal);

  // Neither a call of `stop` nor an error.
  writeFileSync(held, nodeHeld);
  const { status, stderr } = spawnSync(process.execPath, [held], { cwd: folder, env });
  assert.equal(status, 0, `${stderr}`);
  await until(() => readdirSync(env.TMPDIR).length === 0);
});

test("freehold-testing runs workers for vitest", (t) => {
  const folder = emptyFolder(t);
  installNpm(folder, "freehold", "freehold-worker", "freehold-testing");
  const vitest = ["install", "--prefer-offline", "--no-audit", "--no-fund", "vitest@4"];
  const installed = spawnSync("npm", vitest, { cwd: folder, encoding: "utf8" });
  if (installed.status !== 0) {
    if (process.env.CI) assert.fail(installed.stderr);
    return t.skip(`vitest cannot be installed: ${installed.stderr.split("\n")[0]}`);
  }
  writeFileSync(path.join(folder, "worker.js"), worker);
  const config = 'export default { test: { globalSetup: ["freehold-testing/vitest"] } };\n';
  writeFileSync(path.join(folder, "crash.js"), 'import "no-such-package";\n');
  writeFileSync(path.join(folder, "vitest.config.mjs"), config);
  const file = `import assert from "node:assert/strict";
import { test } from "vitest";
import { connectFreehold } from "freehold-testing";
const freehold = connectFreehold();
test("the worker greets", { timeout: 60_000 }, async () => {${body}});
`;
  writeFileSync(path.join(folder, "a.test.js"), file);
  const command = path.join(folder, "node_modules", "vitest", "vitest.mjs");
  const { stdout, stderr } = spawnSync(process.execPath, [command, "run"], {
    cwd: folder,
    env: environment,
    encoding: "utf8",
  });
  assert.match(stdout, /1 passed/, stderr);

  const example = path.join(folder, "example");
  cpSync(path.join(root, "examples", "vitest"), example, { recursive: true });
  const ended = spawnSync(process.execPath, [command, "run"], {
    cwd: example,
    env: environment,
    encoding: "utf8",
  });
  assert.match(ended.stdout, /1 passed/, ended.stderr);
});

/** Writes the project of a worker, as a user begins. */
function initialize([program = "", ...first]: string[], cwd: string, ...args: string[]): void {
  const command = [...first, "init", "worker", ...args];
  const { status, stderr } = spawnSync(program, command, {
    cwd,
    env: environment,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
}

/** Of a file that uses the kit's types. */
function typeErrors(folder: string): string {
  const file = path.join(folder, "types.ts");
  const text = `import { startFreehold } from "freehold-testing";
const { id }: { id: string } = await (await startFreehold()).endpoint("worker.js");
export { id };
`;
  writeFileSync(file, text);
  const types = path.join(root, "node_modules", "@types");
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--types", "node"];
  const tsc = path.join(root, "node_modules", ".bin", "tsc");
  return spawnSync(tsc, [...flags, "--typeRoots", types, "--target", "es2022", file], {
    cwd: folder,
    encoding: "utf8",
  }).stdout;
}
