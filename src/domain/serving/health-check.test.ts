// The table of health checks, and when a worker that is not ready is given up.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type CheckResult,
  judgeCheck,
  judgeServing,
  pauseOfStart,
  type WorkerHealth,
} from "./health-check.ts";
import { servingErrors, servingOf } from "./serving.ts";

const serving = servingOf({ PORT: "80", PORT_HEALTH: "8000" });
const ready: WorkerHealth = { state: "ready", since: 5, finding: "answers 200" };
const failing: WorkerHealth = { state: "failing", since: 5, finding: "answers 500" };

const table: [
  before: WorkerHealth | null,
  misses: number,
  result: CheckResult,
  state: WorkerHealth["state"],
  since: number,
][] = [
  [null, 0, { status: 200 }, "ready", 9],
  [null, 0, { status: 204 }, "starting", 9],
  [null, 0, { status: 404 }, "failing", 9],
  [null, 0, { failed: "refused" }, "failing", 9],
  [ready, 0, { status: 200 }, "ready", 5],
  [ready, 0, { status: 500 }, "ready", 5],
  [ready, 1, { status: 500 }, "ready", 5],
  [ready, 2, { status: 500 }, "failing", 9],
  [ready, 0, { status: 204 }, "starting", 9],
  [failing, 7, { status: 200 }, "ready", 9],
  [failing, 7, { failed: "refused" }, "failing", 5],
];

for (const [before, misses, result, state, since] of table) {
  test(`health: ${before?.state ?? "new"} with ${misses} misses, ${JSON.stringify(result)}`, () => {
    const { health } = judgeCheck({ health: before, misses }, result, serving, 9);
    assert.deepEqual([health.state, health.since], [state, since]);
  });
}

test("a finding names the path, the port and both variables", () => {
  const { health } = judgeCheck({ health: null, misses: 0 }, { status: 404 }, serving, 9);
  assert.equal(
    health.finding,
    "answers 404 on /ping at port 8000; PORT is 80 and PORT_HEALTH is 8000",
  );
});

test("a worker that is not ready is given up after its time", () => {
  const times = { startupMs: 100, silentMs: 20 };
  const signs = { startedAt: 0, readyAt: null, health: failing, draining: false };
  assert.equal(judgeServing(signs, 99, times), null);
  assert.match(judgeServing(signs, 100, times)!, /not ready within .* answers 500/);
  assert.equal(judgeServing({ ...signs, draining: true }, 100, times), null);
  assert.equal(judgeServing({ ...signs, readyAt: 1 }, 24, times), null);
  assert.match(judgeServing({ ...signs, readyAt: 1 }, 25, times)!, /has not been ready/);
  assert.equal(judgeServing({ ...signs, readyAt: 1, health: ready }, 500, times), null);
});

test("the ports have defaults, and impossible values are named", () => {
  assert.deepEqual(servingOf({}), { port: 80, healthPort: 80, healthPath: "/ping" });
  assert.deepEqual(servingOf({ PORT: "5000" }).healthPort, 5_000);
  assert.deepEqual(servingErrors({ PORT: "80", HEALTH_CHECK_PATH: "/health?x=1" }), []);
  assert.match(servingErrors({ PORT: "http" })[0]!, /PORT is "http"/);
  assert.match(servingErrors({ PORT_HEALTH: "70000" })[0]!, /PORT_HEALTH/);
  assert.match(servingErrors({ HEALTH_CHECK_PATH: "ping" })[0]!, /HEALTH_CHECK_PATH/);
});

test("a starting worker is checked after a quarter of its life again", () => {
  const rows: [ageMs: number, pauseMs: number][] = [
    [0, 50],
    [-5, 50], // clocks differ
    [400, 100],
    [60_000, 1_000],
  ];
  for (const [ageMs, pauseMs] of rows) assert.equal(pauseOfStart(ageMs, 1_000), pauseMs);
});
