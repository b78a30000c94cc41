import assert from "node:assert/strict";
import { constants, PerformanceObserver } from "node:perf_hooks";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { countBuffer } from "./memory.ts";

test("Many bytes of buffers start a scavenge, few do not", async () => {
  const kinds: unknown[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      kinds.push((entry as unknown as { detail: { kind: number } }).detail.kind);
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  const minor = () => kinds.filter((kind) => kind === constants.NODE_PERFORMANCE_GC_MINOR).length;
  try {
    countBuffer(1_024);
    await setImmediate();
    const before = minor();
    for (let n = 0; n < 64; n++) countBuffer(1_024 * 1_024);
    for (let n = 0; n < 10; n++) await setImmediate();
    assert.ok(minor() >= before + 2);
  } finally {
    observer.disconnect();
  }
});
