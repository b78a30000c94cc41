// A test of a client, which finds the service by the variables of `freehold env`.

import assert from "node:assert/strict";
import { test } from "node:test";

const { RUNPOD_ENDPOINT_BASE_URL: queue, RUNPOD_API_KEY: key } = process.env;

test("the endpoint hello greets", async () => {
  const answer = await fetch(`${queue}/hello/runsync`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ input: { name: "you" } }),
  });
  const job = await answer.json();
  assert.deepEqual(job.output, { message: "Hello, you!" });
});
