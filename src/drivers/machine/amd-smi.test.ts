// What `amd-smi` of several versions prints, each with where it was seen. ROCm 5.7 and 6.0 are as their `amdsmi_commands.py` and
// `amdsmi_logger.py` write them; newer ones are the stand-in's documents, changed where that is said.

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import { amdSmi } from "../simulated/gpu/amd-programs.ts";
import { scenarioMachine } from "../simulated/gpu/scenario-machine.ts";
import { scenarioAt } from "../simulated/gpu/simulated-gpus.ts";
import { AMD_SMI_CALLS, parseAmdSmi } from "./amd-smi.ts";
import { gpuReader } from "./gpu-reader.ts";
import type { Run } from "./run.ts";

const MI300X = { name: "AMD Instinct MI300X", memoryMb: 196_592 };

const answersIn = (form: "ok" | "list", count: number) => {
  const machine = scenarioAt({ gpus: [{ ...MI300X, count }], amdSmi: form }, 0, 0);
  return AMD_SMI_CALLS.map((args) => amdSmi(args, machine)!.stdout);
};
const [newer, older] = [answersIn("ok", 2), answersIn("list", 2)];

/** The answers to the calls of a version before 6.1; of one GPU each is that GPU, and of several a list. */
function before61(count: number, vram: object, ecc: unknown): string[] {
  const numbers = Array.from({ length: count }, (_, gpu) => gpu);
  const printed = (of: (gpu: number) => object) => {
    const gpus = numbers.map((gpu) => ({ gpu, ...of(gpu) }));
    return JSON.stringify(count === 1 ? gpus[0] : gpus, null, 4);
  };
  return [
    printed((gpu) => ({
      bdf: `0000:0${gpu + 1}:00.0`,
      uuid: "0dff74a1-0000-1000-80d3-5a2a0e1c4b7f",
    })),
    printed(() => ({ asic: { market_name: MI300X.name, vendor_id: "0x1002" }, ...vram })),
    printed(() => ({ ecc })),
  ];
}

const counted = { correctable: 3, uncorrectable: 2 };
const vram60 = { vram: { vram_type: "HBM3", vram_vendor: "N/A", vram_size_mb: 196_592 } };
const failed = (status: string, code: number) =>
  JSON.stringify({ error: `AMDSMI has returned error '${code}' - '${status}'`, code });
const NOT_SUPPORTED = failed("AMDSMI_STATUS_NOT_SUPPORTED - Feature not supported", -1002);
const UNKNOWN = failed("AMDSMI_STATUS_UNKNOWN_ERROR - An unknown error occurred", -1_100);
const GROUPS =
  "WARNING: User is missing the following required groups: render, video. Please add user to these groups.\n";

type Read = [memoryMb: number | null, uncorrectable: number | null];
const whole: Read = [196_592, 0];

const rows: [source: string, answers: string[], read: Read[] | RegExp][] = [
  [
    "5.7, ROCm/amdsmi: no vram, other names of the counters",
    before61(2, {}, counted),
    [
      [null, 2],
      [null, 2],
    ],
  ],
  ["5.7 and 6.0: one GPU is no list", before61(1, {}, counted), [[null, 2]]],
  [
    "5.7: a card without ECC",
    [...before61(1, {}, null).slice(0, 2), NOT_SUPPORTED],
    [[null, null]],
  ],
  [
    "6.0: the memory by another name",
    before61(2, vram60, counted),
    [
      [196_592, 2],
      [196_592, 2],
    ],
  ],
  [
    "6.0: a card without ECC",
    before61(1, vram60, { correctable: "N/A", uncorrectable: "N/A" }),
    [[196_592, null]],
  ],
  ["6.0: what failed is not there", before61(1, { vram: "N/A" }, "N/A"), [[null, null]]],
  ["6.1.2 of Debian: bare lists", older, [whole, whole]],
  ["6.1.2 of Debian, one GPU", answersIn("list", 1), [whole]],
  ["7.x: an object with gpu_data", newer, [whole, whole]],
  [
    "6.4 to 7.1 without root, ROCm/amdsmi #114 and #130",
    newer.map((text) => GROUPS + text),
    [whole, whole],
  ],
  [
    "a warning that begins as a list does",
    older.map((text) => `[WARN] old firmware\n${text}`),
    [whole, whole],
  ],
  ["a line after the document", newer.map((text) => `${text}done.\n`), [whole, whole]],
  [
    "a byte order mark, and CR LF",
    newer.map((text) => `\uFEFF${text.replaceAll("\n", "\r\n")}`),
    [whole, whole],
  ],
  [
    "5.7: an error as a document, with exit 0",
    [UNKNOWN, ...before61(1, {}, counted).slice(1)],
    /^AMDSMI has returned error '-1100' - 'AMDSMI_STATUS_UNKNOWN_ERROR/,
  ],
  [
    "5.7: counters that fail otherwise",
    [...before61(1, {}, null).slice(0, 2), UNKNOWN],
    /UNKNOWN_ERROR/,
  ],
  [
    "7.1, ROCm/amdsmi #168: words alone",
    newer.map(() => "'CTRL' + 'C' to stop watching output:\n"),
    /^it printed no JSON: 'CTRL' \+ 'C' to/,
  ],
  [
    "another language",
    newer.map(() => "Gerät nicht gefunden\n"),
    /^it printed no JSON: Gerät nicht gefunden$/,
  ],
  ["nothing", ["", "", ""], /^it printed no JSON: nothing$/],
  ["half a document", newer.map((text) => text.slice(0, 60)), /^its JSON document is incomplete$/],
  ["another document", ['{"gpus": []}', "[]", "[]"], /^it has no list of GPUs$/],
  ["a number", ["7", "[]", "[]"], /^it printed no JSON: 7$/],
];

test("answers of amd-smi are read in the form of each version, or said in its words", () => {
  for (const [source, answers, expected] of rows) {
    if (expected instanceof RegExp) {
      assert.throws(() => parseAmdSmi(answers), { message: expected }, source);
      continue;
    }
    const read = [...parseAmdSmi(answers).values()];
    assert.deepEqual(
      read.map(({ name, memoryMb, uncorrectable }) => [name, memoryMb, uncorrectable]),
      expected.toReversed().map((values) => [MI300X.name, ...values]),
      source,
    );
  }
});

/** A machine with one GPU and this `amd-smi`; its kernel is the stand-in's. */
function machineWith(tool: (args: readonly string[]) => Promise<string>): Run {
  const { run } = scenarioMachine({ gpus: [MI300X] }, new VirtualClock(0));
  return (program, args, ...more) =>
    program === "amd-smi" ? tool(args) : run(program, args, ...more);
}

const exits = async (code: number, stdout: string, stderr = "") => {
  throw Object.assign(new Error(`Command failed: amd-smi\n${stderr}`), { code, stdout });
};

test("an amd-smi that has no --vram leaves the memory to the kernel", async () => {
  const [list = "", details = "", metrics = ""] = before61(1, {}, counted);
  const invalid = JSON.stringify({ error: "Parameter '--vram' is invalid.", code: -2 });
  const usage = "amd-smi static: error: unrecognized arguments: --vram\n";
  for (const refuse of [
    async () => invalid,
    () => exits(254, invalid),
    () => exits(2, "", `usage: amd-smi static [-h]\n${usage}`),
  ]) {
    const tool = async (args: readonly string[]) => {
      if (args.includes("--vram")) return refuse();
      return { list, static: details, metric: metrics }[args[0] ?? ""] ?? "";
    };
    const { gpus, gpuTrouble, gpuFaults } = await gpuReader(machineWith(tool)).read();
    assert.deepEqual(
      gpus.map(({ name, memoryMb }) => [name, memoryMb]),
      [[MI300X.name, MI300X.memoryMb]],
    );
    assert.deepEqual([gpuTrouble, gpuFaults], [null, []]);
  }
});

test("the words of an amd-smi that fails are its own, wherever it prints them", async () => {
  const rows: [tool: () => Promise<string>, trouble: string][] = [
    [() => exits(255, "", "ERROR:root:Drivers not loaded\n"), "ERROR:root:Drivers not loaded"],
    [
      () => exits(1, UNKNOWN),
      "AMDSMI has returned error '-1100' - 'AMDSMI_STATUS_UNKNOWN_ERROR - An unknown error occurred'",
    ],
    [() => exits(1, "Gerät nicht gefunden\n"), "it printed no JSON: Gerät nicht gefunden"],
    [() => exits(139, ""), "Command failed: amd-smi"],
  ];
  for (const [tool, trouble] of rows) {
    const read = await gpuReader(machineWith(tool)).read();
    assert.equal(read.gpuTrouble, `amd-smi: ${trouble}`);
    assert.deepEqual(
      read.gpuFaults.map(({ code }) => code),
      ["stale"],
    );
    assert.equal(read.gpus.length, 1);
  }
});
