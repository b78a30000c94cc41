import assert from "node:assert/strict";
import { test } from "node:test";
import { logCause } from "./log-cause.ts";

/** An exception as the SDK logs it. */
const sdkError = JSON.stringify({
  requestId: "job-1",
  message: JSON.stringify({
    error_type: "<class 'torch.OutOfMemoryError'>",
    error_message: "24 GB",
    error_traceback: "Traceback (most recent call last):",
  }),
  level: "ERROR",
});

const rows: [lines: string[], cause: string | null][] = [
  [[], null],
  [["", "  "], null],
  [["loading the model", "done"], "done"],
  [
    [
      "Traceback (most recent call last):",
      '  File "/app/handler.py", line 1, in <module>',
      "    import torch",
      "ModuleNotFoundError: No module named 'torch'",
    ],
    "ModuleNotFoundError: No module named 'torch'",
  ],
  [
    ["torch.cuda.OutOfMemoryError: CUDA out of memory.", "see the notes"],
    "torch.cuda.OutOfMemoryError: CUDA out of memory.",
  ],
  [["KeyboardInterrupt", "bye"], "KeyboardInterrupt"],
  [
    [
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'x'",
      "    at f (a.js:1:2)",
      "Node.js v24.1.0",
    ],
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'x'",
  ],
  [["panic: no config", "goroutine 1 [running]:"], "panic: no config"],
  [
    ["exec /run.sh: no such file or directory"],
    "exec /run.sh: no such file or directory: the image lacks the program that runs this file, which its first " +
      "line names, such as /bin/sh",
  ],
  [["sh: 1: pythn: not found"], "sh: 1: pythn: not found"],
  [["\u001b[31mValueError: no\u001b[0m", "\u001b[0m"], "ValueError: no"],
  [['{"requestId":null,"message":"Memory check failed","level":"ERROR"}'], "Memory check failed"],
  [["{not json"], "{not json"],
  [[sdkError], "torch.OutOfMemoryError: 24 GB"],
  [[sdkError.slice(0, -25)], "torch.OutOfMemoryError: 24 GB"],
];

for (const [lines, cause] of rows) {
  test(`${lines.length} lines: ${cause}`, () => assert.equal(logCause(lines), cause));
}

test("a long line is cut short", () => {
  assert.ok(logCause(["x".repeat(5_000)])!.length < 250);
});
