// Tests of the addresses that a worker derives from its environment.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readAddresses } from "./addresses.ts";

const base = "http://h/v2/e";

function read(env: Record<string, string>) {
  return readAddresses({
    RUNPOD_POD_ID: "w",
    RUNPOD_WEBHOOK_GET_JOB: `${base}/job-take/w?gpu=X`,
    RUNPOD_WEBHOOK_POST_OUTPUT: `${base}/job-done/w/$ID?gpu=X`,
    ...env,
  });
}

test("$ID is the worker in the take address and the job in the others", () => {
  const addresses = read({
    RUNPOD_WEBHOOK_GET_JOB: `${base}/job-take/$ID?gpu=X`,
    RUNPOD_WEBHOOK_POST_OUTPUT: `${base}/job-done/$RUNPOD_POD_ID/$ID?gpu=X`,
    RUNPOD_WEBHOOK_POST_STREAM: `${base}/job-stream/$RUNPOD_POD_ID?job=$ID&gpu=X`,
    RUNPOD_WEBHOOK_PING: `${base}/ping/$RUNPOD_POD_ID`,
  });
  assert.equal(addresses.take(1, false), `${base}/job-take/w?gpu=X&job_in_progress=0`);
  assert.equal(addresses.done("j$&/1", true), `${base}/job-done/w/j%24%26%2F1?gpu=X&isStream=true`);
  assert.equal(addresses.chunk?.("j"), `${base}/job-stream/w?job=j&gpu=X&isStream=false`);
  assert.equal(addresses.ping?.([]), `${base}/ping/w`);
  assert.equal(addresses.ping?.(["a", "b"]), `${base}/ping/w?job_id=a%2Cb`);
});

test("the addresses of batches and stops derive from the take address", () => {
  const addresses = read({});
  assert.equal(
    addresses.take(3, true),
    `${base}/job-take-batch/w?gpu=X&batch_size=3&job_in_progress=1`,
  );
  assert.equal(addresses.stop, `${base}/job-stop/w?gpu=X`);
});

test("a take address without /job-take/ gives single takes and no stops", () => {
  const addresses = read({ RUNPOD_WEBHOOK_GET_JOB: "http://h/next" });
  assert.equal(addresses.take(3, true), "http://h/next?job_in_progress=1");
  assert.equal(addresses.stop, null);
});

test("a query is appended to any form of address", () => {
  const done = (address: string) => read({ RUNPOD_WEBHOOK_POST_OUTPUT: address }).done("j", false);
  assert.equal(done("http://h/$ID"), "http://h/j?isStream=false");
  assert.equal(done("http://h/$ID?"), "http://h/j?isStream=false");
  assert.equal(done("http://h/$ID?a=b"), "http://h/j?a=b&isStream=false");
  assert.equal(done("http://h/$ID?a=b&"), "http://h/j?a=b&isStream=false");
});

test("a missing address is null, and an invalid one is refused", () => {
  const { chunk, ping, workerId } = read({ RUNPOD_WEBHOOK_PING: "", RUNPOD_POD_ID: "" });
  assert.equal(chunk, null);
  assert.equal(ping, null);
  assert.match(workerId, /^[0-9a-f-]{36}$/);
  assert.throws(() => read({ RUNPOD_WEBHOOK_POST_OUTPUT: "" }), /POST_OUTPUT/);
  assert.throws(() => read({ RUNPOD_WEBHOOK_PING: "ping me" }), /RUNPOD_WEBHOOK_PING is not a URL/);
});
