import assert from "node:assert/strict";
import { test } from "node:test";
import { whatIsFull } from "../pod/disk-full.ts";
import { type Counters, sampleOf } from "./sample.ts";

const counters = (at: number, cpuMs: number, more: Partial<Counters> = {}): Counters => {
  const none = { memoryLimitBytes: null, receivedBytes: null, sentBytes: null };
  return { at, cpuMs, memoryBytes: 50, ...none, ...more };
};
const nothing = { diskBytes: null, volumeBytes: null, gpus: [] };

test("usage is the difference of two samples, relative to the available CPUs", () => {
  const of = (now: Counters, before: Counters | null, vcpus = 1) =>
    sampleOf(now, before, vcpus, nothing).cpuPercent;
  assert.equal(of(counters(10_000, 5_000), null), null);
  assert.equal(of(counters(20_000, 10_000), counters(10_000, 5_000)), 50);
  assert.equal(of(counters(20_000, 10_000), counters(10_000, 5_000), 2), 25);
  assert.equal(of(counters(20_000, 1_000), counters(10_000, 5_000)), 10);
  assert.equal(of(counters(10_000, 5_000), counters(10_000, 5_000)), 0);
  const limited = counters(1, 1, { memoryLimitBytes: 200 });
  assert.equal(sampleOf(limited, null, 1, nothing).memoryPercent, 25);
  assert.equal(sampleOf(counters(1, 1), null, 1, nothing).memoryPercent, null);
});

test("a disk is full at its size, unless the engine enforces the limit", () => {
  const spec = { containerDiskInGb: 1, volumeInGb: 2 };
  const rows: [
    disk: number | null,
    volume: number | null,
    enforced: boolean,
    full: RegExp | null,
  ][] = [
    [null, null, false, null],
    [2 ** 30 - 1, 2 ** 31 - 1, false, null],
    [2 ** 30, 0, false, /container's disk of 1 GB/],
    [2 ** 30, 0, true, null],
    [0, 2 ** 31, true, /volume of 2 GB/],
  ];
  for (const [diskBytes, volumeBytes, enforced, full] of rows) {
    const found = whatIsFull(spec, { diskBytes, volumeBytes }, enforced);
    if (full === null) assert.equal(found, null);
    else assert.match(found!, full);
  }
  const none = { containerDiskInGb: 1, volumeInGb: 0 };
  assert.equal(whatIsFull(none, { diskBytes: 0, volumeBytes: 1 }, false), null);
});
