// Run with `npx vitest run`, with freehold, freehold-testing, freehold-worker and vitest installed.

import { connectFreehold } from "freehold-testing";
import { expect, test } from "vitest";

const freehold = connectFreehold();

test("the worker greets", { timeout: 60_000 }, async () => {
  const endpoint = await freehold.endpoint("worker.js");
  const job = await endpoint.runsync({ name: "you" });
  expect(job.output).toEqual({ message: "Hello, you" });
});
