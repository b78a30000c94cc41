// Trying a handler without a server: where the job comes from, and what the exit code says.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Handler } from "./handler.ts";
import { VirtualWorld } from "./rehearsal/virtual-world.ts";
import { testInput, tryOut } from "./try-out.ts";

async function tryJob(argument: string, handler: Handler) {
  const world = new VirtualWorld({});
  world.argv = [`--test_input=${argument}`];
  const code = await tryOut(world, { handler });
  return { code, ...world };
}

test("finds the job in either spelling of the flag", () => {
  assert.equal(testInput(["--test_input", "{}"]), "{}");
  assert.equal(testInput(["-x", '--test_input={"a":"b=c"}']), '{"a":"b=c"}');
  assert.equal(testInput(["--test_input"]), "");
  assert.equal(testInput(["--test_inputs", "{}"]), null);
});

test("runs the job under an id of its own, or the one it has", async () => {
  const handler: Handler = ({ id, input }) => ({ id, input });
  const own = await tryJob('{"input":{"a":1}}', handler);
  assert.deepEqual(own.printed, ['{"output":{"id":"local_test","input":{"a":1}}}']);
  assert.equal(own.code, 0);
  const given = await tryJob('{"input":1,"id":"mine"}', handler);
  assert.deepEqual(given.printed, ['{"output":{"id":"mine","input":1}}']);
});

test("shows chunks and progress apart from the result", async () => {
  const { printed, complained, code } = await tryJob(
    '{"input":1}',
    async function* (_job, context) {
      await context.progress("half");
      yield "a";
    },
  );
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
  assert.deepEqual([returned.code, returned.printed], [1, ['{"error":"no"}']]);
});

test("what is no job is exit code 1 and a sentence", async () => {
  for (const argument of ["", "{", "[]", "{}", '{"input":1,"id":7}']) {
    const { code, complained, printed } = await tryJob(argument, () => 1);
    assert.equal(code, 1, argument);
    assert.equal(complained.length, 1, argument);
    assert.deepEqual(printed, []);
  }
});
