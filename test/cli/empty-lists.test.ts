// What the command line says of lists that have nothing in them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { freehold } from "./command.ts";

test("an empty list says so on the error output, and programs see an empty one", async (t) => {
  const service = await startService(t);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await freehold([...args, "--data", service.dataFolder]);
    assert.equal(code, 0, stderr);
    return [stdout.split(" ")[0], stderr];
  };
  assert.deepEqual(await run("sandboxes"), ["ID", "No sandboxes found\n"]);
  assert.deepEqual(await run("sandboxes", "--quiet"), ["", ""]);
  assert.deepEqual(await run("sandboxes", "--json"), ["[]\n", ""]);
  assert.deepEqual(await run("ps"), ["ID", "No running Pods or workers found\n"]);
  assert.deepEqual(await run("idle"), ["MEMBER", "No measured GPU-hours found\n"]);
  const unpriced = await run("prices", "list", "--unpriced");
  assert.deepEqual(unpriced, ["GPU", "No GPU types without a price found\n"]);
  const [gpus, sentence] = await run("gpus", "devices");
  assert.equal(gpus, "");
  assert.equal(sentence, "No GPUs found; simulated ones are not listed\n");
  const [{ id }] = (await service.call("GET", "/v1/machines")).json;
  assert.deepEqual(await run("machine", "gpus", id), ["", sentence]);
  assert.deepEqual(await run("machine", "gpus", id, "--json"), ["[]\n", ""]);
  assert.deepEqual(await run("top"), ["MACHINE", "No running Pods found\n"]);
});
