import assert from "node:assert/strict";
import { test } from "node:test";
import { readingsWith } from "../../../test/fixtures/gpu/readings.ts";
import { finishTest, pendingTests, requestTests } from "./gpu-test.ts";
import type { GpuHealth, Quarantine } from "./health-record.ts";
import type { GpuReadings } from "./judge-readings.ts";
import { decideReturns } from "./return-gpus.ts";

const minute = 60_000;
const limits = { returnMinutes: 10, cleanReadings: 3, returnTests: 0 };
const quarantine = (code: Quarantine["code"] = "xid_79"): Quarantine => {
  return { code, at: 0, reason: "r", recommendation: "a" };
};

/** The minutes at which the GPU goes back, if it is read at these minutes. */
function returnsAt(
  before: GpuHealth,
  minutes: readonly number[],
  readingsAt: (at: number) => Partial<GpuReadings> | "missing" | "faulty" | "silent" = () => ({}),
): number[] {
  let health = before;
  return minutes.filter((at) => {
    const readings = readingsAt(at);
    const isRead = typeof readings === "object";
    const gpu = { index: 0, uuid: "GPU-a", readings: readingsWith(isRead ? readings : {}) };
    const reading = {
      gpus: readings === "missing" || readings === "silent" ? [] : [gpu],
      faulty: new Set(readings === "faulty" ? ["GPU-a"] : []),
      silent: new Set(readings === "silent" ? ["GPU-a"] : []),
    };
    const outcome = decideReturns(health, reading, { now: at * minute, limits });
    health = outcome.health;
    return outcome.returned.length > 0;
  });
}

const each = Array.from({ length: 60 }, (_, at) => at + 1);
const firstOf = (minutes: number[]) => minutes[0] ?? null;

test("a GPU goes back once every reading of its cool-down was clean", () => {
  const record: GpuHealth = { quarantines: { "GPU-a": quarantine() } };
  const later = 30 * minute;
  const error = {
    code: 31,
    workload: null,
    program: null,
    count: 1,
    firstAt: later,
    lastAt: later,
  };
  const rows: [before: GpuHealth, at: Parameters<typeof returnsAt>[2], first: number | null][] = [
    [record, undefined, 11],
    [record, (at) => (at === 5 ? "missing" : {}), 16],
    [record, (at) => (at === 5 ? "faulty" : {}), 16],
    [record, (at) => (at === 5 ? "silent" : {}), 11],
    [record, (at) => ({ rowRemapPending: at <= 5 }), 16],
    [record, (at) => ({ eccErrors: at <= 5 ? 1 : 2 }), 17],
    [record, () => ({ eccErrors: 7 }), 11],
    [{ ...record, errors: { "GPU-a": [error] } }, (at) => (at < 29 ? "missing" : {}), null],
    [{ quarantines: { "GPU-a": quarantine("xid_64") } }, undefined, null],
    [{ ...record, returns: { "GPU-a": [-minute] } }, undefined, 21],
    [{ ...record, returns: { "GPU-a": [-2 * minute, -minute] } }, undefined, null],
    [{ ...record, returns: { "GPU-a": [-2 * minute, -8 * 1_440 * minute] } }, undefined, 21],
  ];
  for (const [n, [before, at, first]] of rows.entries()) {
    assert.equal(firstOf(returnsAt(before, each.slice(0, 38), at)), first, `row ${n}`);
  }
  // The number of readings counts too.
  assert.deepEqual(returnsAt(record, [1, 30, 31]), [31]);
  const off = { ...limits, returnMinutes: 0 };
  const never = decideReturns(record, { gpus: [], faulty: new Set() }, { now: 0, limits: off });
  assert.deepEqual([never.returned, never.isWaiting], [[], false]);
});

test("a GPU that has to pass tests is tested some minutes apart, and a failure starts its cool-down anew", () => {
  const tested = { ...limits, returnTests: 2 };
  let health: GpuHealth = { quarantines: { "GPU-a": quarantine() } };
  const outcomes: Record<number, "passed" | "failed" | "not_run"> = {};
  const gpu = { index: 0, uuid: "GPU-a", readings: readingsWith({}) };
  const reading = { gpus: [gpu], faulty: new Set<string>() };
  const returned: number[] = [];
  const ends = ["not_run", "passed", "failed", "passed", "passed"] as const;
  for (const at of each) {
    const outcome = decideReturns(health, reading, { now: at * minute, limits: tested });
    if (outcome.returned.length > 0) {
      returned.push(at);
      break;
    }
    health = requestTests(outcome.health, outcome.untested, at * minute);
    for (const uuid of pendingTests(health)) {
      const end = ends[Object.keys(outcomes).length]!;
      outcomes[at] = end;
      const result = { outcome: end, text: "x" };
      health = finishTest(health, uuid, { result, now: at * minute }).health;
    }
  }
  assert.deepEqual(outcomes, {
    11: "not_run",
    16: "passed",
    21: "failed",
    32: "passed",
    37: "passed",
  });
  assert.deepEqual(returned, [38]);
});
