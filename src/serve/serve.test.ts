// The example worker as a process of its own: signals, exit codes, standard output.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ProtocolServer } from "./rehearsal/protocol-server.ts";
import { gate } from "./rehearsal/stage.ts";

/** The example worker as a process of its own, with what it wrote so far. */
function spawnHello(t: TestContext, env: Record<string, string>, args: string[] = []) {
  const script = fileURLToPath(new URL("../../examples/hello.ts", import.meta.url));
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(() => child.kill("SIGKILL"));
  const written = { out: "", err: "" };
  child.stdout.on("data", (part) => {
    written.out += part;
  });
  child.stderr.on("data", (part) => {
    written.err += part;
  });
  return { child, written, exited: once(child, "close") };
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`the example worker ends with code 0 on ${signal}, its job finished`, async (t) => {
    const server = await new ProtocolServer().open();
    t.after(() => server.close());
    const { child, exited } = spawnHello(t, server.env());
    const signalled = gate();
    server.answer = ({ route, text }) => {
      if (route !== "job-stream" || !text.includes('"number":1}')) return null;
      child.kill(signal);
      signalled.open();
      return null;
    };
    server.give({ id: "j1", input: { name: "you", count: 500 } });
    await signalled.passed;
    server.give({ id: "late", input: {} });
    assert.deepEqual(await exited, [0, null]);
    assert.equal(server.posts("j1", "job-stream").length, 500);
    assert.equal((server.posts("j1") as [{ output: unknown[] }])[0].output.length, 500);
    assert.equal(server.queue.length, 1);
  });
}

test("the example worker runs one test job where there is no server", async (t) => {
  const test = ["--test_input", '{"input":{"name":"you"}}'];
  const { written, exited } = spawnHello(t, {}, test);
  assert.deepEqual(await exited, [0, null]);
  assert.equal(written.out, '{"output":{"message":"Hello, you!"}}\n');
});
