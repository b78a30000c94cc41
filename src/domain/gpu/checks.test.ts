import assert from "node:assert/strict";
import { test } from "node:test";
import { readingsWith } from "../../../test/fixtures/gpu/readings.ts";
import { checkReadings, defaultLimits, type GpuLimits, judgeChecks, type Since } from "./checks.ts";
import type { GpuReadings } from "./judge-readings.ts";

test("which readings are findings", () => {
  const rows: [Partial<GpuReadings>, codes: string[]][] = [
    [{}, []],
    [{ rowRemapPending: true }, ["row_remap_pending"]],
    [{ rowRemapPending: false, remappedRows: 511 }, []],
    [{ remappedRows: 512 }, ["remapped_rows"]],
    [{ pageRetirementPending: true }, ["page_retirement_pending"]],
    [{ doubleBitPages: 15, retiredPages: 62 }, []],
    [{ doubleBitPages: 16, retiredPages: 63 }, ["retired_pages"]],
    [{ doubleBitPages: 0, retiredPages: 63 }, ["retired_pages"]],
    [{ eccErrors: 0, lifetimeEccErrors: 40 }, []],
    [{ eccErrors: 1, lifetimeEccErrors: 40 }, ["ecc_errors"]],
    [{ pcieWidth: 16, maxPcieWidth: 16 }, []],
    [{ pcieWidth: 8, maxPcieWidth: 16 }, ["pcie_width"]],
    [{ pcieWidth: 8 }, []],
    [{ pcieGeneration: 1, maxPcieGeneration: 4, isAtFullPerformance: false }, []],
    [{ pcieGeneration: 1, maxPcieGeneration: 4, isAtFullPerformance: true }, ["pcie_generation"]],
    [{ pcieGeneration: 4, maxPcieGeneration: 4, isAtFullPerformance: true }, []],
    [{ thermalSlowdown: true, hardwareSlowdown: true, isHot: true }, ["thermal_slowdown"]],
    [{ powerSlowdown: true, hardwareSlowdown: true }, ["power_slowdown"]],
    [{ hardwareSlowdown: true }, ["hardware_slowdown"]],
    [{ isHot: true, thermalSlowdown: false }, ["temperature"]],
    [{ persistenceMode: false }, ["persistence_mode"]],
    [{ persistenceMode: true }, []],
    [{ fabricTrouble: 'its state is "In Progress"' }, ["fabric"]],
    [{ nvlinkTrouble: "its NVLink 3 of 18 is down" }, ["nvlink_down"]],
    [{ nvlinkErrors: "NVLink 3 had 1 replay" }, ["nvlink_errors"]],
  ];
  for (const [readings, codes] of rows) {
    const findings = checkReadings(readingsWith(readings), defaultLimits);
    assert.deepEqual(
      findings.map(({ code }) => code),
      codes,
      JSON.stringify(readings),
    );
  }
});

test("a slowdown counts once it lasts, and a check takes a GPU out where the operator says so", () => {
  const slow = { index: 0, uuid: "GPU-a", readings: readingsWith({ thermalSlowdown: true }) };
  const off = { index: 1, uuid: "GPU-b", readings: readingsWith({ persistenceMode: false }) };
  const calm = { ...slow, readings: readingsWith({ thermalSlowdown: false }) };
  const minute = 60_000;
  let since: Since = new Map();
  const judge = (slowOrCalm: typeof slow, now: number, limits: GpuLimits = defaultLimits) => {
    const judged = judgeChecks([slowOrCalm, off], since, { now, limits });
    since = judged.since;
    const texts = (all: readonly { index: number; code: string }[]) =>
      all.map(({ index, code }) => `${index} ${code}`);
    return [texts(judged.faults), texts(judged.notices)];
  };
  const brief = [[], ["1 persistence_mode"]];
  assert.deepEqual(judge(slow, 0), brief);
  assert.deepEqual(judge(slow, 6 * minute - 1), brief);
  assert.deepEqual(judge(slow, 6 * minute), [[], ["0 thermal_slowdown", "1 persistence_mode"]]);
  assert.deepEqual(judge(calm, 7 * minute), brief);
  assert.deepEqual(judge(slow, 8 * minute), brief);
  const quarantine = ["thermal_slowdown"] as const;
  assert.deepEqual(judge(slow, 14 * minute, { ...defaultLimits, quarantine }), [
    ["0 thermal_slowdown"],
    ["1 persistence_mode"],
  ]);
});
