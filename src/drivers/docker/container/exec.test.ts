import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import type { Engine } from "../engine.ts";
import { execIn } from "./exec.ts";

test("a command whose container is removed has no exit code, and needs no end", async () => {
  const stream = new PassThrough();
  const missing = Object.assign(new Error("no such exec instance"), { statusCode: 404 });
  const docker = {
    getContainer: () => ({ exec: async () => ({ id: "e" }) }),
    getExec: () => ({ start: async () => stream, inspect: async () => Promise.reject(missing) }),
  };
  const engine = {
    callWithin: async (call: (of: typeof docker) => unknown) => call(docker),
    guard() {},
  } as unknown as Engine;
  const execution = await execIn(engine, "c", { command: ["sleep", "9"], tty: null }, "mark");
  stream.end();
  for await (const _ of execution.output);
  assert.equal(await execution.exitCode(), null);
  await execution.end();
});
