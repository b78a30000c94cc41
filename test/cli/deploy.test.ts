// Tests of `freehold deploy`: releases of images, builds by a program that stands in for the engine, and
// refusals. test/docker/deploy.test.ts builds with a real engine.

import assert from "node:assert/strict";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { freehold, start } from "./command.ts";

test("an image becomes an endpoint, and again a release", async (t) => {
  const service = await startService(t);
  const run = (...args: string[]) => freehold(["deploy", ...args, "--data", service.dataFolder]);
  const first = await run("ghcr.io/me/shop:1", "--workers-max", "2", "--env", "MODEL=small");
  assert.equal(first.code, 0, first.stderr);
  assert.match(
    first.stdout,
    /^created {2}shop \(\w+\), release 1\nimage {5}ghcr\.io\/me\/shop:1\n/,
  );
  const id = /\((\w+)\)/.exec(first.stdout)![1]!;
  const { json: created } = await service.call("GET", `/v1/endpoints/${id}`);
  assert.deepEqual([created.computeType, created.workersMax], ["CPU", 2]);

  assert.match((await run("ghcr.io/me/shop:1")).stdout, /^unchanged {2}shop \(\w+\), release 1\n/);
  const again = await run(
    "ghcr.io/me/shop:2",
    "--env",
    "MODE=fast",
    "--workers-max",
    "4",
    "--json",
  );
  const { change, endpoint } = JSON.parse(again.stdout);
  assert.deepEqual([change, endpoint.id, endpoint.version], ["released", id, 2]);
  assert.equal(endpoint.workersMax, 4);
  const { json: template } = await service.call("GET", `/v1/templates/${endpoint.templateId}`);
  assert.equal(template.imageName, "ghcr.io/me/shop:2");
  assert.deepEqual(template.env, { MODEL: "small", MODE: "fast" });
  assert.equal((await run("ghcr.io/me/shop:2", "-q")).stdout, `${id}\n`);

  const gpu = await run("shop", "--gpu", "NVIDIA A40");
  assert.equal(gpu.code, 1);
  assert.match(gpu.stderr, /runs on CPUs, which cannot change; choose another --name/);
  const other = await run("shop", "--name", "gpu-shop", "--gpu", "NVIDIA A40", "--json");
  assert.deepEqual(JSON.parse(other.stdout).endpoint.gpuTypeIds, ["NVIDIA A40"]);

  const model = await run("acme/vllm:1", "--env", "MODEL_NAME=acme/llm");
  assert.match(model.stdout, /^OpenAI {4}http:\/\/[\d.:]+\/v2\/\w+\/openai\/v1$/m);
});

test("a template that another endpoint uses is not changed", async (t) => {
  const service = await startService(t);
  const run = (...args: string[]) => freehold([...args, "--data", service.dataFolder]);
  const { endpoint } = JSON.parse((await run("deploy", "shop:1", "--json")).stdout);
  const body = { name: "other", templateId: endpoint.templateId };
  await service.call("POST", "/v1/endpoints", body);
  const { code, stderr } = await run("deploy", "shop:2");
  assert.equal(code, 1);
  assert.match(stderr, /the template of endpoint \w+ is also that of \w+/);
});

/** A program that takes the arguments of docker and writes them, and the Dockerfile, to `log`. */
function engineIn(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-deploy-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const log = path.join(folder, "log");
  const engine = path.join(folder, "engine");
  const script = `#!/bin/sh
echo "$@" >> '${log}'
[ "$1" = build ] || exit 0
cat >> '${log}'
for last; do :; done
(cd "$last" && find . -type f | sort) >> '${log}'
if [ -e "$last/broken" ]; then echo "step 3 failed" >&2; exit 7; fi
echo "sha256:0123456789abcdef0123" > "$3"
`;
  writeFileSync(engine, script, { mode: 0o755 });
  const app = path.join(folder, "My Shop");
  mkdirSync(app);
  return { app, engine, logged: () => readFileSync(log, "utf8") };
}

test("a handler is built with a Dockerfile of its own, tagged by its content and pushed", async (t) => {
  const service = await startService(t);
  const { app, engine, logged } = engineIn(t);
  writeFileSync(path.join(app, "handler.py"), "");
  writeFileSync(path.join(app, "requirements.txt"), "torch\n");
  const run = (...args: string[]) =>
    freehold(["deploy", ...args, "--engine", engine, "--data", service.dataFolder]);
  const local = await run(path.join(app, "handler.py"));
  assert.equal(local.code, 0, local.stderr);
  assert.match(
    local.stdout,
    /^created {2}handler .*\nimage {5}freehold-deploy\/handler:0123456789ab\n/,
  );
  assert.ok(logged().includes("RUN pip install --no-cache-dir -r requirements.txt runpod\n"));
  assert.ok(logged().includes('CMD ["python","-u","handler.py"]\n'));

  const pushed = await run(app, "--push", "ghcr.io/me/shop", "--platform", "linux/amd64");
  assert.match(pushed.stdout, /^created {2}My-Shop .*\nimage {5}ghcr\.io\/me\/shop:0123456789ab\n/);
  assert.match(logged(), /--platform linux\/amd64 -f - \/.+\/context\n/);
  assert.ok(logged().endsWith("push ghcr.io/me/shop:0123456789ab\n"));
});

test("neither keys nor caches of a handler's folder go to the engine", async (t) => {
  const { app, engine, logged } = engineIn(t);
  const service = await startService(t, { dataFolder: path.join(app, "lab-data") });
  const files = {
    "handler.py": "import models",
    "models/small.bin": "x".repeat(2_500_000),
    ".env.local": "TOKEN=1",
    "src/.git/HEAD": "",
    "py/pyvenv.cfg": "",
    "py/lib/runpod.py": "",
    "src/__pycache__/a.pyc": "",
    "src/keep.py": "",
    ".dockerignore": "# ours\nsrc/drafts\n",
    "src/drafts/idea.py": "",
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(app, name)), { recursive: true });
    writeFileSync(path.join(app, name), text);
  }
  const args = ["deploy", app, "--engine", engine, "--data", service.dataFolder];
  const { code, stdout, stderr } = await freehold(args);
  assert.equal(code, 0, stderr);
  assert.deepEqual(logged().match(/^\.\/.*$/gm), [
    "./handler.py",
    "./models/small.bin",
    "./src/keep.py",
  ]);
  assert.match(
    stdout,
    /^context {3}2\.5 MB in 3 files: models 2\.5 MB, handler\.py 1 kB, src 0 kB$/m,
  );
  assert.match(stdout, /^left out {2}(?:lab-data, py|py, lab-data)$/m);
});

test("the context of a JavaScript handler has the worker library, unless the folder brings one", async (t) => {
  const { app, engine, logged } = engineIn(t);
  const service = await startService(t);
  writeFileSync(path.join(app, "worker.js"), 'import { serve } from "freehold-worker";\n');
  writeFileSync(path.join(app, "package.json"), "{}");
  const deploy = async () => {
    const args = ["deploy", app, "--engine", engine, "--data", service.dataFolder];
    const { code, stdout, stderr } = await freehold(args);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  assert.match(await deploy(), /^context {3}1 kB in 2 files: /m);
  assert.match(logged(), /^CMD \["node","worker\.js"\]$/m);
  assert.match(logged(), /^\.\/node_modules\/freehold-worker\/package\.json$/m);
  const own = path.join(app, "node_modules", "freehold-worker");
  mkdirSync(own, { recursive: true });
  writeFileSync(path.join(own, "own.js"), "");
  writeFileSync(path.join(app, ".dockerignore"), "!node_modules\n");
  await deploy();
  assert.deepEqual(logged().split("node_modules/freehold-worker/own.js").length, 2);
  assert.equal(logged().split("node_modules/freehold-worker/package.json").length, 2);
});

test("a context that holds a data folder is refused, with the line that leaves it out", async (t) => {
  const { app, engine } = engineIn(t);
  const service = await startService(t, { dataFolder: path.join(app, "lab-data") });
  writeFileSync(path.join(app, "Dockerfile"), "FROM scratch\n");
  const deploy = (folder: string) =>
    freehold(["deploy", folder, "--engine", engine, "--data", service.dataFolder]);
  const { code, stderr } = await deploy(app);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /the build context holds lab-data, a data folder.*; add the line "lab-data" to/,
  );
  writeFileSync(path.join(app, ".dockerignore"), "lab-data\n!lab-data/cli.key\n");
  assert.equal((await deploy(app)).code, 1);
  writeFileSync(path.join(app, ".dockerignore"), "lab-*\n");
  assert.equal((await deploy(app)).code, 0);
  writeFileSync(path.join(app, "Dockerfile.dockerignore"), "other\n");
  const overridden = await deploy(app);
  assert.equal(overridden.code, 1);
  assert.match(overridden.stderr, /add the line "lab-data" to .*\/Dockerfile\.dockerignore/);
  writeFileSync(path.join(app, "Dockerfile.dockerignore"), "lab-data\n");
  assert.equal((await deploy(app)).code, 0);
});

test("a signal during a build leaves no copy of the context behind", async (t) => {
  const service = await startService(t);
  const { app, engine } = engineIn(t);
  writeFileSync(path.join(app, "handler.py"), "");
  const temporary = path.join(path.dirname(engine), "tmp");
  mkdirSync(temporary);
  const started = path.join(path.dirname(engine), "started");
  writeFileSync(engine, `#!/bin/sh\ntouch '${started}'\nexec sleep 60\n`, { mode: 0o755 });
  const args = ["deploy", app, "--engine", engine, "--data", service.dataFolder];
  const child = start(args, undefined, { TMPDIR: temporary });
  const ended = once(child, "exit");
  await until(async () => existsSync(started), "the build");
  assert.equal(readdirSync(temporary).length, 1);
  child.kill("SIGTERM");
  assert.deepEqual(await ended, [null, "SIGTERM"]);
  assert.deepEqual(readdirSync(temporary), []);
});

test("a folder's own Dockerfile is used, and a build that fails releases nothing", async (t) => {
  const service = await startService(t);
  const { app, engine, logged } = engineIn(t);
  writeFileSync(path.join(app, "Dockerfile"), "FROM scratch\n");
  const args = ["deploy", app, "--engine", engine, "--data", service.dataFolder];
  assert.equal((await freehold(args)).code, 0);
  assert.ok(!logged().includes("-f -"));
  writeFileSync(path.join(app, "broken"), "");
  const { code, stderr } = await freehold([...args, "--name", "other"]);
  assert.equal(code, 1);
  assert.match(stderr, /build ended with code 7:\nfreehold: step 3 failed\n$/);
  const { json } = await service.call("GET", "/v1/endpoints");
  assert.ok(!json.some(({ name }: { name: string }) => name === "other"));
});

test("an image that stays on this machine is not released elsewhere", async (t) => {
  const { app, engine } = engineIn(t);
  writeFileSync(path.join(app, "handler.ts"), "");
  const env = { FREEHOLD_URL: "http://cloud.invalid", FREEHOLD_KEY: "fh_key" };
  const { code, stderr } = await freehold(["deploy", app, "--engine", engine], { env });
  assert.equal(code, 2);
  assert.match(stderr, /cannot reach the image on this one; push it: --push /);
});

const refusals: [args: string[], code: number, sentence: RegExp][] = [
  [[], 2, /missing required argument 'source'/],
  [["./none.py"], 3, /there is no file or folder \S+none\.py/],
  [["none.py"], 3, /there is no file or folder/],
  [["not an image"], 2, /neither a file, nor a folder, nor the name of an image/],
  [["."], 1, /has no Dockerfile and no handler\.py/],
  [["notes.txt"], 2, /no handler in Python, JavaScript or TypeScript/],
  [["shop:1", "--workers-max", "many"], 2, /--workers-max is "many"; it takes a number/],
  [["shop:1", "--env", "X"], 2, /--env is "X"; it takes NAME=VALUE/],
  [["shop:1", "--registry", "none"], 3, /there is no registry credential "none"/],
  [["handler.py", "--engine", "no-such-engine"], 1, /a build needs Docker, or --engine podman/],
  [["shop:1", "--name", "hello", "--workers-min", "5", "--workers-max", "1"], 1, /workers/],
];
for (const [args, exitCode, sentence] of refusals) {
  test(`freehold deploy ${args.join(" ")}: exit code ${exitCode} and one sentence`, async (t) => {
    const service = await startService(t);
    const folder = mkdtempSync(path.join(tmpdir(), "freehold-sources-"));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(path.join(folder, "notes.txt"), "");
    if (args[0] === "handler.py") writeFileSync(path.join(folder, "handler.py"), "");
    const { code, stdout, stderr } = await freehold(
      ["deploy", ...args, "--data", service.dataFolder],
      folder,
    );
    assert.match(stderr, sentence);
    assert.equal(code, exitCode);
    assert.equal(stdout, "");
  });
}
