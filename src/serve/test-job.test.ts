// Tests of a test job: where it is read from, its output and exit code.

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualEnvironment } from "../../test/fixtures/worker/virtual-environment.ts";
import type { Handler } from "./handler.ts";
import { runTestJob, testInputOf } from "./test-job.ts";

async function tryJob(argument: string, handler: Handler) {
  const environment = new VirtualEnvironment({});
  environment.argv = [`--test_input=${argument}`];
  const code = await runTestJob(environment, { handler });
  return { code, ...environment };
}

test("reads the job from either spelling of the flag", () => {
  assert.equal(testInputOf(["--test_input", "{}"]), "{}");
  assert.equal(testInputOf(["-x", '--test_input={"a":"b=c"}']), '{"a":"b=c"}');
  assert.equal(testInputOf(["--test_input"]), "");
  assert.equal(testInputOf(["--test_inputs", "{}"]), null);
});

test("runs the job under its own id, or a default one", async () => {
  const handler: Handler = ({ id, input }) => ({ id, input });
  const own = await tryJob('{"input":{"a":1}}', handler);
  assert.deepEqual(own.outputLines, ['{"output":{"id":"local_test","input":{"a":1}}}']);
  assert.equal(own.code, 0);
  const identified = await tryJob('{"input":1,"id":"mine"}', handler);
  assert.deepEqual(identified.outputLines, ['{"output":{"id":"mine","input":1}}']);
});

test("prints chunks and progress to standard error", async () => {
  const {
    outputLines: printed,
    errorLines: complained,
    code,
  } = await tryJob('{"input":1}', async function* (_job, context) {
    await context.progress("half");
    yield "a";
  });
  assert.deepEqual(complained, ['{"status":"IN_PROGRESS","output":"half"}', '{"output":"a"}']);
  assert.deepEqual(printed, ['{"output":[]}']);
  assert.equal(code, 0);
});

test("an error is exit code 1", async () => {
  const thrown = await tryJob('{"input":1}', () => {
    throw new Error("no");
  });
  assert.equal(thrown.code, 1);
  const returned = await tryJob('{"input":1}', () => ({ error: "no" }));
  assert.deepEqual([returned.code, returned.outputLines], [1, ['{"error":"no"}']]);
});

test("an invalid job gives exit code 1 and an error", async () => {
  for (const argument of ["", "{", "[]", "{}", '{"input":1,"id":7}']) {
    const { code, errorLines: complained, outputLines: printed } = await tryJob(argument, () => 1);
    assert.equal(code, 1, argument);
    assert.equal(complained.length, 1, argument);
    assert.deepEqual(printed, []);
  }
});
