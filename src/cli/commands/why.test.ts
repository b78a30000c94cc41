import assert from "node:assert/strict";
import { test } from "node:test";
import { whyText } from "./why.ts";

test("the last log lines are of the Pod or the worker that is asked about", () => {
  const log = { workerId: "m3x", lines: ["ended with exit code 0"] };
  const why = { id: "m3x", code: "c", sentence: "It was stopped.", next: null, evidence: { log } };
  const textOf = (kind: "pod" | "worker") => whyText({ ...why, kind });
  assert.match(textOf("pod"), /last log lines of Pod m3x:\n +ended with exit code 0/);
  assert.match(textOf("worker"), /last log lines of worker m3x:/);
});
