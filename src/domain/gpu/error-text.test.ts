import assert from "node:assert/strict";
import { test } from "node:test";
import { gpuErrorTexts } from "./error-text.ts";

test("a job reads of the errors of its attempts, and of no other", () => {
  const at = Date.UTC(2026, 10, 28, 12);
  const error = { code: 48, workload: "w", program: "e", count: 1, firstAt: at, lastAt: at };
  const texts = (change: object, takenAt: number, endedAt: number | null, workerId = "w") =>
    gpuErrorTexts({ errors: { "GPU-a": [{ ...error, ...change }] } }, { "GPU-a": 3 }, [
      { workerId, takenAt, endedAt },
    ]);
  const sentence =
    "GPU 3 of worker w reported Xid 48 at 2026-11-28T12:00:00.000Z: an uncorrectable memory error. " +
    "NVIDIA recommends: reset the GPU while nothing runs on it.";
  assert.deepEqual(texts({}, at - 1_000, null), [sentence]);
  assert.deepEqual(texts({}, at - 2_000, at - 1_000), [sentence]);
  assert.deepEqual(texts({}, at - 60_000, at - 50_000), []);
  assert.deepEqual(texts({}, at + 1, null), []);
  assert.deepEqual(texts({}, at - 1_000, null, "other"), []);
  assert.deepEqual(texts({ code: 63 }, at - 1_000, null), []);
});
