import assert from "node:assert/strict";
import { test } from "node:test";
import { SyncTimes } from "./log-sync.ts";

const MB = 2 ** 20;

/** Syncs as the log does: at once while the disk is quick, otherwise by a thread. */
function afterSyncs(times: SyncTimes, n: number, ms: number, idleMs = 0): string {
  for (let i = 0; i < n; i++) {
    if (times.isQuick(0)) times.recordAtOnce(ms);
    else times.recordByThread(ms, idleMs);
  }
  if (times.isQuick(0)) return "at once";
  return times.isLong(0) ? "by a thread, long" : "by a thread, short";
}

const rows: [name: string, syncs: [n: number, ms: number, idleMs?: number][], verdict: string][] = [
  ["no sync yet", [], "at once"],
  ["a quick disk", [[1_000, 0.1]], "at once"],
  [
    "one slow sync of a quick disk",
    [
      [100, 0.1],
      [1, 5],
    ],
    "at once",
  ],
  ["a disk of middling syncs", [[200, 1]], "by a thread, short"],
  ["middling syncs that the event loop mostly waits for", [[200, 1, 3]], "by a thread, long"],
  [
    "middling syncs that it no longer waits for",
    [
      [200, 1, 3],
      [64, 1, 0.1],
    ],
    "by a thread, short",
  ],
  ["a slow disk", [[200, 8]], "by a thread, long"],
  ["a slow disk whose samples are not full yet", [[10, 8]], "by a thread, short"],
  [
    "a slow disk that became quick",
    [
      [200, 8],
      [128, 0.1],
    ],
    "at once",
  ],
  [
    "a middling disk that became slow",
    [
      [200, 1],
      [128, 8],
    ],
    "by a thread, long",
  ],
  [
    "a slow disk that became middling",
    [
      [200, 8],
      [128, 1],
    ],
    "by a thread, short",
  ],
];

for (const [name, syncs, verdict] of rows) {
  test(`the next sync after ${name}`, () => {
    const times = new SyncTimes();
    let said = afterSyncs(times, 0, 0);
    for (const [n, ms, idleMs] of syncs) said = afterSyncs(times, n, ms, idleMs);
    assert.equal(said, verdict);
  });
}

test("the sync of much is long on any disk, and never at once", () => {
  const times = new SyncTimes();
  assert.ok(times.isLong(MB));
  assert.ok(!times.isQuick(MB));
});
