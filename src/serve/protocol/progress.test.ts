// Tests of progress posts to a slow or failing server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ProgressReporter } from "./progress.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

test("a result waits for the progress post in flight and for no other", async () => {
  const sent: string[] = [];
  let arrive = () => {};
  const progress = new ProgressReporter((text) => {
    sent.push(JSON.parse(text).output);
    return new Promise((resolve) => {
      arrive = resolve;
    });
  }, silent);
  progress.report("on its way");
  progress.report("waiting");
  const closed = progress.close().then(() => sent.push("closed"));
  progress.report("too late");
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(sent, ["on its way"]);
  arrive();
  await closed;
  assert.deepEqual(sent, ["on its way", "closed"]);
});

test("a failed progress post does not reject", async () => {
  const progress = new ProgressReporter(() => Promise.reject(new Error("refused")), silent);
  await progress.report(1);
  await progress.report(2n);
  await progress.close();
});
