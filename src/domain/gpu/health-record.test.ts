import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../base/units.ts";
import { defaultLimits } from "./checks.ts";
import type { GpuErrorCode } from "./gpu-error.ts";
import {
  applyGpuError,
  type GpuHealth,
  lastErrorText,
  recentErrors,
  takeNewLines,
  withoutQuarantines,
} from "./health-record.ts";
import { kernelLogTrouble } from "./kernel-log-trouble.ts";

interface Sent {
  code: GpuErrorCode | null;
  detail?: string;
  workload?: string | null;
  atHour?: number;
}

/** What errors of one GPU come to, one after the other. */
function apply(...all: Sent[]) {
  let health: GpuHealth = {};
  const texts: (string | null)[] = [];
  for (const { code, detail = "", workload = null, atHour = 0 } of all) {
    const at = Date.UTC(2026, 10, 27) + atHour * HOUR_MS;
    const error = { uuid: "GPU-a", code, detail, at, workload, program: workload };
    const outcome = applyGpuError(health, error, defaultLimits);
    health = outcome.health;
    texts.push(outcome.workloadText);
  }
  return { health, texts, quarantine: health.quarantines?.["GPU-a"] };
}

test("which errors put a GPU in quarantine, and what NVIDIA recommends", () => {
  const rows: [errors: Sent[], code: string | undefined, recommendation?: RegExp][] = [
    [[{ code: 79 }], "xid_79", /^restart the machine$/],
    [[{ code: 48 }], "xid_48", /^reset the GPU/],
    [[{ code: 95 }], "xid_95", /^reset the GPU/],
    [[{ code: 119 }], "xid_119", /^reset the GPU/],
    [[{ code: 64 }], "xid_64", /^replace the GPU$/],
    [[{ code: 54 }], "xid_54", /power cables/],
    [[{ code: null }], "off_the_bus", /^restart the machine$/],
    // The first one stays: what follows is its consequence.
    [[{ code: 79 }, { code: 48 }], "xid_79"],
    // Errors of a program, and those that the driver has dealt with
    [
      [{ code: 13 }, { code: 31 }, { code: 43 }, { code: 45 }, { code: 94 }, { code: 63 }],
      undefined,
    ],
    // The readings say what this means, for all GPUs of the machine
    [[{ code: 154, detail: "changed from 0x0 (None) to 0x2 (OS Reboot)" }], undefined],
    [[{ code: 109 }], undefined],
    [[{ code: 109 }, { code: 109, atHour: 23 }], "xid_109", /^reset/],
    [[{ code: 109 }, { code: 109, atHour: 25 }], undefined],
    [[{ code: 149, detail: "NETIR_LINK_EVT Fatal XC0 i0 Link 08" }], "xid_149"],
    [[{ code: 149, detail: "NETIR_LINK_EVT Nonfatal XC0 i0 Link 08" }], undefined],
    [[{ code: 176 }, { code: 9_999 }], undefined],
    // One program that fails again and again is at fault itself.
    [Array.from({ length: 9 }, () => ({ code: 31, workload: "a" })), undefined],
    [["a", "b"].map((workload) => ({ code: 31, workload })), undefined],
    [["a", "b", "c"].map((workload) => ({ code: 31, workload })), "xid_31", /^test the GPU/],
    [["a", "b", null].map((workload) => ({ code: 31, workload })), undefined],
    [["a", "b", "c"].map((workload) => ({ code: 43, workload })), undefined],
    [["a", "b", "c"].map((workload, n) => ({ code: 31, workload, atHour: 13 * n })), undefined],
    [[{ code: "amd_lost" }], "amd_lost", /^restart the machine$/],
    [[{ code: "amd_uncorrectable" }, { code: "amd_reset_failed" }], "amd_uncorrectable", /^reset/],
    [[{ code: "amd_reset_begin" }, { code: "amd_hang", workload: "a" }], undefined],
    // GPUs that are linked with one that failed are reset with it.
    [["a", "b", "c"].map((workload) => ({ code: "amd_reset", workload })), undefined],
    [["a", "b", "c"].map((workload) => ({ code: "amd_hang", workload })), "amd_hang", /^test/],
  ];
  for (const [errors, code, recommendation = /./] of rows) {
    const { quarantine } = apply(...errors);
    assert.equal(quarantine?.code, code, JSON.stringify(errors));
    if (quarantine) assert.match(quarantine.recommendation, recommendation);
  }
  const { quarantine } = apply({ code: 79 });
  assert.equal(quarantine?.reason, "Xid 79: it has fallen off the bus");
  assert.equal(quarantine.at, Date.UTC(2026, 10, 27));
});

test("a workload reads of its own errors, once for a burst", () => {
  const own = { code: 31, workload: "a", detail: "pid=7, name=python3" };
  const text =
    "Xid 31: a memory page fault (pid=7, name=python3); NVIDIA recommends: restart the application";
  const { health, texts } = apply(own, own, { code: 48, workload: "a" });
  assert.deepEqual(texts, [text, null, null]);
  assert.deepEqual(apply({ code: 31 }, { code: 37, workload: "a" }).texts, [null, null]);
  assert.deepEqual(apply(own, { ...own, atHour: 1 }).texts, [text, text]);
  const errors = health.errors!;
  assert.deepEqual(
    errors["GPU-a"]!.map(({ code, count }) => [code, count]),
    [
      [31, 2],
      [48, 1],
    ],
  );
  assert.match(
    lastErrorText(apply(own, own).health.errors!, "a")!,
    /Xid 31 at 2026-11-27.*2 times/,
  );
  assert.equal(lastErrorText(errors, "b"), null);
  const fault = { code: "amd_page_fault", workload: "a", detail: "[gfxhub] page fault" } as const;
  const amd = apply(fault);
  assert.deepEqual(amd.texts, [
    "a memory page fault ([gfxhub] page fault); Freehold recommends: restart the application",
  ]);
  assert.match(
    lastErrorText(amd.health.errors!, "a")!,
    /^Its GPU reported an error at 2026-11-27\S+: a memory page fault\. Freehold recommends:/,
  );
  const flood = Array.from({ length: 200 }, (_, n) => ({ code: 31, workload: `w${n % 90}` }));
  assert.equal(apply(...flood).health.errors!["GPU-a"]!.length, 50);
});

test("a returned GPU begins anew, and the others stay", () => {
  const { health } = apply({ code: 79 });
  const both = {
    ...health,
    quarantines: { ...health.quarantines, "GPU-b": health.quarantines!["GPU-a"]! },
  };
  const after = withoutQuarantines(both, ["GPU-a"]);
  assert.deepEqual(Object.keys(after.quarantines!), ["GPU-b"]);
  assert.deepEqual(after.errors, {});
});

test("each line counts once, and none from before the log was watched", () => {
  const line = { kind: "xid", pci: "0000:3b:00", code: 79, detail: "" } as const;
  const take = (before: GpuHealth, boot: string, ...places: [seq: number, at: number][]) => {
    const lines = places.map(([seq, at]) => ({ seq, at, line }));
    const taken = takeNewLines(before, { boot, openedAt: 100, lines });
    return { ...taken, seqs: taken.lines.map(({ seq }) => seq) };
  };
  const first = take({}, "one", [7, 50], [8, 100], [9, 120]);
  assert.deepEqual(first.seqs, [8, 9]);
  assert.deepEqual(first.health, { watchedSince: 100, position: { boot: "one", seq: 9 } });
  assert.deepEqual(take(first.health, "one", [8, 100], [9, 120], [10, 130]).seqs, [10]);
  // The machine was restarted while nothing read its log.
  assert.deepEqual(take(first.health, "two", [2, 200]).seqs, [2]);
  const uuid = { kind: "uuid", pci: "0000:3b:00", uuid: "GPU-a" } as const;
  const named = takeNewLines(
    {},
    { boot: "one", openedAt: 100, lines: [{ seq: 1, at: 9, line: uuid }] },
  );
  assert.deepEqual(named.health.addresses, { "0000:3b:00": "GPU-a" });
});

test("a kernel log that cannot be read says which permission is missing", () => {
  const rows: [text: string, trouble: RegExp | null][] = [
    ["cat: /dev/kmsg: Operation not permitted\n", /Operation not permitted; .*CAP_SYSLOG/],
    ["cat: /dev/kmsg: Permission denied", /Permission denied; give Freehold's user the right/],
    ["tail: cannot open '/dev/kmsg' for reading: No such file or directory", /device \/dev\/kmsg/],
    ["cat: /dev/kmsg: Broken pipe", null],
    ["", null],
    ["sh: 1: cat: not found", /not found; see docs\/gpu.md/],
  ];
  for (const [text, trouble] of rows) {
    const sentence = kernelLogTrouble("/dev/kmsg", text);
    if (trouble === null) assert.equal(sentence, null);
    else assert.match(sentence!, trouble);
  }
});

test("the errors of a GPU within a day are counted by code and workload", () => {
  const error = { workload: "pod", program: "pod", firstAt: 0 };
  const errors = {
    "GPU-a": [
      { ...error, code: 31, count: 2, lastAt: 5 },
      { ...error, code: 31, workload: "other", count: 1, lastAt: 6 },
      { ...error, code: 13, count: 9, lastAt: 0 },
    ],
  };
  assert.deepEqual(recentErrors({ errors }, 24 * 3_600_000 + 1), [
    { uuid: "GPU-a", code: "xid_31", workload: "pod", count: 2, lastAt: 5 },
    { uuid: "GPU-a", code: "xid_31", workload: "other", count: 1, lastAt: 6 },
  ]);
  assert.deepEqual(recentErrors({}, 1), []);
});
