// The lines of a worker library in a worker's log.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseLibraryLine } from "../../console/src/components/log/library-line.ts";

test("a worker library's line is shown as its message, with its level and its job", () => {
  const line = { requestId: "j1", message: "out of memory", level: "ERROR" };
  assert.deepEqual(parseLibraryLine(JSON.stringify(line)), {
    text: "out of memory · job j1",
    level: "ERROR",
  });
  const ofNoJob = JSON.stringify({ requestId: null, message: "Starting", level: "INFO" });
  assert.deepEqual(parseLibraryLine(ofNoJob), { text: "Starting", level: "INFO" });
});

test("any other line keeps its text", () => {
  const lines = [
    "plain",
    '{"requestId": "j1", "message": "cut',
    '{"requestId": "j1", "message": {"a": 1}}',
    '{"requestId": "j1", "message": "m", "extra": 1}',
    '{"message": "without a job", "level": "INFO"}',
  ];
  for (const text of lines) assert.deepEqual(parseLibraryLine(text), { text });
});
