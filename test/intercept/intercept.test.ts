// Unmodified clients under `freehold intercept`, with the addresses that are built into them.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { freehold } from "../cli/command.ts";
import { startService } from "../fixtures/service/service.ts";
import { startEchoWorker } from "../sdk/echo-worker.ts";
import { pythonWith } from "../sdk/python-environment.ts";
import { intercepted } from "./intercepted.ts";

const NO_JAVA = spawnSync("java", ["-version"]).status !== 0 && "it needs java";

async function serviceWithEndpoint(t: TestContext) {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  await startEchoWorker(service, endpoint);
  return { service, endpoint };
}

test("npm runpod-sdk without options runs a job", async (t) => {
  const { service, endpoint } = await serviceWithEndpoint(t);
  const script = `import sdk from "runpod-sdk";
    const endpoint = sdk(process.env.RUNPOD_API_KEY).endpoint(${JSON.stringify(endpoint)});
    const { status, output } = await endpoint.runSync({ input: { text: "hello" } }, 20000);
    console.log(JSON.stringify({ status, output }));`;
  const evaluate = ["--input-type=module", "--eval", script];
  const printed = await intercepted(service, process.execPath, ...evaluate);
  assert.deepEqual(JSON.parse(printed), { status: "COMPLETED", output: { text: "hello" } });
});

test("PyPI runpod without an address runs a job and lists GPU types", async (t) => {
  const python = pythonWith(t, "1.12.0");
  if (!python) return;
  const { service, endpoint } = await serviceWithEndpoint(t);
  const script = [
    "import aiohttp, asyncio, os, runpod",
    'runpod.api_key = os.environ["RUNPOD_API_KEY"]',
    `print(runpod.Endpoint("${endpoint}").run_sync({"text": "hello"}, timeout=20))`,
    "print(len(runpod.get_gpus()) > 10)",
    "async def main():", // its asyncio client ignores proxy variables by itself
    "    async with aiohttp.ClientSession() as session:",
    `        job = await runpod.AsyncioEndpoint("${endpoint}", session).run({"text": "later"})`,
    "        print(await job.output(timeout=20))",
    "asyncio.run(main())",
  ].join("\n");
  const printed = await intercepted(service, python, "-c", script);
  assert.equal(printed, "{'text': 'hello'}\nTrue\n{'text': 'later'}\n");
});

test("Python without the proxy looks up no hosted name, and loads its own modules", async (t) => {
  if (spawnSync("python3", ["--version"]).status !== 0) return t.skip("it needs python3");
  const service = await startService(t);
  const own = path.join(service.dataFolder, "own-modules");
  mkdirSync(own, { recursive: true });
  writeFileSync(path.join(own, "sitecustomize.py"), "print('own module')\n");
  const script = [
    "import socket, sys",
    "for host in ('api.runpod.io', 'CONSOLE.RUNPOD.IO.', b'x.api.runpod.ai'):",
    "    try: socket.create_connection((host, 443))",
    "    except OSError as error: print(error)",
    "print(socket.getaddrinfo('127.0.0.1', 80)[0][4])",
    "print([name for name in sys.path if 'freehold' in name])",
  ].join("\n");
  const command = `PYTHONPATH="$PYTHONPATH:$0" exec python3 -c "$1"`;
  const lines = (await intercepted(service, "sh", "-c", command, own, script)).trim().split("\n");
  assert.equal(lines[0], "own module");
  assert.equal(lines.filter((line) => line.includes("is a hosted address")).length, 3);
  assert.equal(lines[4], "('127.0.0.1', 80)");
  assert.equal(lines[5], `['${own}']`);
});

test("a Java program reads a fixed address", { skip: NO_JAVA }, async (t) => {
  const service = await startService(t);
  const program = path.join(import.meta.dirname, "Health.java");
  const printed = await intercepted(service, "java", program);
  assert.deepEqual(JSON.parse(printed), { status: "ok" });
});

test("Node with an agent of its own is led by the preloaded module", async (t) => {
  const service = await startService(t);
  const script = `const { Agent, get } = require("https");
    require("net").connect(80, "API.runpod.io.").on("error", ({ message }) => {
      console.log(message);
      get("https://api.runpod.io/healthz", { agent: new Agent() }, (response) => response.pipe(process.stdout));
    });`;
  // As an earlier version of Node, which reads no proxy variables.
  const command = `NODE_USE_ENV_PROXY= exec "$0" -e "$1"`;
  const printed = await intercepted(service, "sh", "-c", command, process.execPath, script);
  const [message, answer] = printed.split("\n");
  assert.match(message!, /^API\.runpod\.io\. is a hosted address/);
  assert.deepEqual(JSON.parse(answer!), { status: "ok" });
});

test("the command's exit code is passed on", async (t) => {
  const service = await startService(t);
  const args = ["intercept", "--data", service.dataFolder, "--", "sh", "-c", "exit 7"];
  assert.equal((await freehold(args)).code, 7);
});

test("a hosted address without a counterpart is refused and named", async (t) => {
  const service = await startService(t);
  const script = `fetch("https://console.runpod.io/").then(
    () => process.exit(1), () => console.log("refused"))`;
  const args = ["intercept", "--data", service.dataFolder, "--", process.execPath, "-e", script];
  const { stdout, stderr } = await freehold(args);
  assert.equal(stdout, "refused\n");
  assert.match(stderr, /refused console\.runpod\.io/);
});

test("only the owner can read the authority's key, and it survives a second run", async (t) => {
  const service = await startService(t);
  await intercepted(service, "true");
  const file = path.join(service.dataFolder, "intercept", "ca.pem");
  const { mode, mtimeMs } = statSync(file);
  assert.equal(mode & 0o777, 0o600);
  await intercepted(service, "true");
  assert.equal(statSync(file).mtimeMs, mtimeMs);
});

test("a command that does not exist is a sentence", async (t) => {
  const service = await startService(t);
  const args = ["intercept", "--data", service.dataFolder, "--", "./no-such-program"];
  const { code, stderr } = await freehold(args);
  assert.equal(code, 1);
  assert.match(stderr, /^freehold: \.\/no-such-program cannot be run: .*ENOENT\n$/);
});

test("a command without -- before it is a sentence", async () => {
  for (const command of [["python", "-c", "1"], ["--"], []]) {
    const { code, stderr } = await freehold(["intercept", ...command]);
    assert.equal(code, 2);
    assert.match(stderr, /^freehold: intercept takes a command after --, as in `freehold /);
  }
});
