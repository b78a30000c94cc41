// `freehold templates`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { freehold } from "./command.ts";

test("templates are listed with the official ones, unless only the account's own are asked for", async (t) => {
  const service = await startService(t);
  const run = (...args: string[]) => freehold([...args, "--data", service.dataFolder]);
  await service.call("POST", "/v1/templates", { name: "mine", imageName: "a" });
  const { stdout } = await run("templates");
  assert.match(stdout, /^vllm +vLLM \(queue\) .* official$/m);
  assert.match(stdout, /^\w+ +mine +a +Pods .* account$/m);
  const own = (await run("templates", "--own")).stdout.trim().split("\n");
  assert.deepEqual([own.length, own[1]!.includes("mine")], [2, true]);
});
