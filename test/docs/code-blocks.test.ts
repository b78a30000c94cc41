// Each program in the documentation is run by one test.

import assert from "node:assert/strict";
import { test } from "node:test";
import { codeBlocks, filesThatRun } from "./code-blocks.ts";

test("a test runs each block of Python, TypeScript and JavaScript of the documentation", () => {
  const blocks = codeBlocks();
  assert.ok(blocks.length > 25, `${blocks.length} blocks`);
  const wrong = blocks.filter((block) => filesThatRun(block).length !== 1);
  assert.deepEqual(wrong, []);
});
