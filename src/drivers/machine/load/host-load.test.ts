// Tests of the load of a machine, as /proc tells it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { machineLoad } from "../../../domain/machine/load/load.ts";
import { hostLoadReader, parseHostLoad, readOwnLoad } from "./host-load.ts";

const MEMORY = "MemTotal:       16384000 kB\nMemFree:  1 kB\nMemAvailable:   12288000 kB\n";
const kb = (n: number) => n * 1_024;
const memory = { memoryUsedBytes: kb(4_096_000), memoryBytes: kb(16_384_000) };

test("the load is read from proc(5), of every kernel", () => {
  const table: [stat: string, cpu: { busy: number; total: number } | null][] = [
    ["cpu  10 20 30 40 50 1 2 3 4 5\ncpu0 1 1 1 1 0 0 0 0 0 0\n", { busy: 66, total: 156 }],
    // Linux 2.4 counts no interrupts.
    ["cpu  10 20 30 40\ncpu0 10 20 30 40\n", { busy: 60, total: 100 }],
    ["", null],
    ["cpu  x\n", null],
  ];
  for (const [stat, cpu] of table)
    assert.deepEqual(parseHostLoad(stat + MEMORY), { cpu, ...memory });
  const { memoryUsedBytes, memoryBytes } = parseHostLoad("MemTotal:       16384000 kB\n");
  assert.deepEqual([memoryUsedBytes, memoryBytes], [null, kb(16_384_000)]);
});

test("the share of the CPUs is that between two readings", () => {
  const reading = (busy: number, total: number) => ({ cpu: { busy, total }, ...memory });
  const percent = (...[now, before]: ReturnType<typeof reading>[]) =>
    machineLoad(7, now!, before ?? null, []).cpuPercent;
  assert.equal(percent(reading(10, 100)), null);
  assert.equal(percent(reading(60, 300), reading(10, 100)), 25);
  // A machine that started anew counts from zero.
  assert.equal(percent(reading(5, 10), reading(60, 300)), null);
  assert.deepEqual(machineLoad(7, null, reading(1, 2), []), {
    at: 7,
    cpuPercent: null,
    memoryUsedBytes: null,
    memoryBytes: null,
    gpus: [],
  });
});

test("a machine that does not answer has no load, and this one has", async () => {
  assert.equal(await hostLoadReader(() => Promise.reject(new Error("no route")))(), null);
  const own = await readOwnLoad();
  assert.ok(own!.memoryBytes! > own!.memoryUsedBytes!);
});
