import assert from "node:assert/strict";
import { test } from "node:test";
import { bounded, exposition, type Sample } from "./exposition.ts";

test("metrics are written as Prometheus reads them", () => {
  const samples: Sample[] = [
    { labels: {}, value: 3 },
    { labels: { endpoint: 'a"b\\c\nd', state: "idle" }, value: 0.5 },
  ];
  assert.equal(
    exposition([{ name: "jobs_queued", type: "gauge", help: "Jobs that wait.", samples }]),
    `# HELP freehold_jobs_queued Jobs that wait.
# TYPE freehold_jobs_queued gauge
freehold_jobs_queued 3
freehold_jobs_queued{endpoint="a\\"b\\\\c\\nd",state="idle"} 0.5
`,
  );
});

test("of many the largest have a name, and the others are one", () => {
  const rows = [1, 5, 2, 4].map((n) => ({ id: `e${n}`, n }));
  const other = (rest: typeof rows) => ({
    id: "other",
    n: rest.reduce((sum, { n }) => sum + n, 0),
  });
  const of = (most: number) => bounded(rows, most, ({ n }) => n, other).map(({ id, n }) => [id, n]);
  assert.deepEqual(of(2), [
    ["e5", 5],
    ["e4", 4],
    ["other", 3],
  ]);
  assert.deepEqual(of(4).length, 4);
});
