// Tests of the example worker as a process: signals, exit codes, standard output.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ProtocolServer } from "../../test/fixtures/worker/protocol-server.ts";
import { gate } from "../../test/fixtures/worker/worker-fixture.ts";

/** The example worker as a process, with its output so far. */
function spawnHello(t: TestContext, env: Record<string, string>, args: string[] = []) {
  const script = fileURLToPath(new URL("../../examples/hello.ts", import.meta.url));
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(() => child.kill("SIGKILL"));
  const output = { out: "", err: "" };
  child.stdout.on("data", (part) => {
    output.out += part;
  });
  child.stderr.on("data", (part) => {
    output.err += part;
  });
  return { child, output, exited: once(child, "close") };
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`the example worker ends with code 0 on ${signal}, its job finished`, async (t) => {
    const server = await new ProtocolServer().open();
    t.after(() => server.close());
    const { child, exited } = spawnHello(t, server.env());
    const isSignaled = gate();
    server.answer = ({ route, text }) => {
      if (route !== "job-stream" || !text.includes('"number":1}')) return null;
      child.kill(signal);
      isSignaled.open();
      return null;
    };
    server.addJobs({ id: "j1", input: { name: "you", count: 500 } });
    await isSignaled.passed;
    server.addJobs({ id: "late", input: {} });
    assert.deepEqual(await exited, [0, null]);
    assert.equal(server.posts("j1", "job-stream").length, 500);
    assert.equal((server.posts("j1") as [{ output: unknown[] }])[0].output.length, 500);
    assert.equal(server.queue.length, 1);
  });
}

test("the example worker runs one test job without a server", async (t) => {
  const test = ["--test_input", '{"input":{"name":"you"}}'];
  const { output, exited } = spawnHello(t, {}, test);
  assert.deepEqual(await exited, [0, null]);
  assert.equal(output.out, '{"output":{"message":"Hello, you!"}}\n');
});
