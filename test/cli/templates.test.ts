// `freehold templates`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { freehold } from "./command.ts";

test("templates are listed with the official ones, unless only the account's own are asked for", async (t) => {
  const service = await startService(t);
  const run = (...args: string[]) => freehold([...args, "--data", service.dataFolder]);
  await service.call("POST", "/v1/templates", { name: "mine", imageName: "a" });
  await service.call("POST", "/v1/templates", { name: "ours", imageName: "a", isPublic: true });
  const { stdout } = await run("templates");
  assert.match(stdout, /^vllm +vLLM \(queue\) .* official$/m);
  assert.match(stdout, /^\w+ +mine +a +Pods .* account$/m);
  assert.match(stdout, /^\w+ +ours +a +Pods .* public$/m);
  const own = (await run("templates", "--own")).stdout.trim().split("\n");
  assert.deepEqual([own.length, own.join().includes("official")], [3, false]);
});
