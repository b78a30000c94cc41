import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCpu } from "./hardware.ts";

const rows: [name: string, cpuinfo: string, cores: number, threadsPerCore: number][] = [
  ["two threads per core", "siblings\t: 64\ncpu cores\t: 32\n", 4, 2],
  ["one thread per core", "siblings\t: 8\ncpu cores\t: 8\n", 8, 1],
  ["no such file", "", 8, 1],
];

for (const [name, cpuinfo, cores, threadsPerCore] of rows) {
  test(`the cores of 8 CPUs: ${name}`, () => {
    assert.deepEqual(parseCpu(" EPYC ", 8, cpuinfo), { model: "EPYC", cores, threadsPerCore });
  });
}
