import assert from "node:assert/strict";
import { test } from "node:test";
import { MINUTE_MS } from "../../base/units.ts";
import { historyOf } from "./history.ts";

const none = { completed: 0, failed: 0 };

test("queue depths are computed backwards from now, also past minutes outside the request", () => {
  const points = historyOf({
    from: 0,
    to: 3 * MINUTE_MS,
    bucketMs: MINUTE_MS,
    now: { queued: 5, running: 1 },
    minutes: [
      { at: 0, queued: 4, running: 0, ...none },
      { at: 2 * MINUTE_MS, queued: -1, running: 1, completed: 3, failed: 1 },
      { at: 7 * MINUTE_MS, queued: 2, running: 0, ...none },
    ],
    spans: [{ at: 2 * MINUTE_MS, what: "delay", size: 0, n: 4 }],
    starts: [{ at: 0, n: 2, ms: 3_000 }],
    statuses: null,
  });
  const depths = points.map(({ at, queued, running }) => [at / MINUTE_MS, queued, running]);
  assert.deepEqual(depths, [
    [0, 4, 0],
    [1, 4, 0],
    [2, 3, 1],
  ]);
  const [first, , last] = points;
  assert.equal(first!.statuses, undefined);
  assert.deepEqual([first!.coldStarts, first!.coldStartMs], [2, 1_500]);
  assert.deepEqual([last!.completed, last!.failed], [3, 1]);
  assert.deepEqual([last!.delay, last!.execution], [{ p50: 0, p95: 0, p99: 0 }, null]);
});

test("answers of a load-balancing endpoint are counted by class of status", () => {
  const nothing = { minutes: [], spans: [], starts: [], now: { queued: 0, running: 0 } };
  const statuses = [
    { at: 0, digit: 2, n: 3 },
    { at: 0, digit: 5, n: 1 },
    { at: MINUTE_MS, digit: 0, n: 2 },
  ];
  const window = { from: 0, to: 3 * MINUTE_MS, bucketMs: MINUTE_MS };
  const points = historyOf({ ...window, ...nothing, statuses });
  assert.deepEqual(
    points.map((point) => point.statuses),
    [{ "2xx": 3, "5xx": 1 }, { aborted: 2 }, {}],
  );
});
