import assert from "node:assert/strict";
import { test } from "node:test";
import { readProgramStart } from "./program-start.ts";

test("a worker's header gives the ages of its process and of its loaded module", () => {
  assert.deepEqual(readProgramStart("process=1200, loaded=30"), { processMs: 1_200, loadedMs: 30 });
  assert.deepEqual(readProgramStart("process=5, loaded=5"), { processMs: 5, loadedMs: 5 });
});

test("a header that no worker of the library sends is ignored", () => {
  const headers = [
    "",
    "1200",
    "process=-5, loaded=3",
    "process=1e3, loaded=3",
    "loaded=3, process=9",
  ];
  const more = [
    "process=30, loaded=1200",
    `process=${"9".repeat(11)}, loaded=1`,
    "process=1.5, loaded=1",
  ];
  for (const header of [undefined, ...headers, ...more])
    assert.equal(readProgramStart(header), null);
  assert.equal(readProgramStart(["process=9, loaded=3", "process=9, loaded=3"]), null);
});
