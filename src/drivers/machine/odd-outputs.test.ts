// What NVIDIA's drivers and their programs of several generations print that differs from a healthy answer, each with the version and
// where it was seen. The stand-in's document is changed so; what persons and machines it named is left out.

import assert from "node:assert/strict";
import { test } from "node:test";
import { A40, gpuDocument, listLine } from "../../../test/fixtures/gpu/nvidia-smi.ts";
import { gpuReader } from "./gpu-reader.ts";
import type { Run } from "./run.ts";

const healthy = gpuDocument({ gpus: [A40(0), A40(1)] });
const list = [A40(0), A40(1)].map((gpu) => `${listLine(gpu)}\n`).join("");
const uuid = "GPU-00000000-0000-4000-8000-000000000000";
const inFirst = (before: string, after: string) => healthy.replace(before, after);
const memory = (text: string) => inFirst("46068 MiB", text);
const process = (name: string) =>
  inFirst(
    "</gpu>",
    `<processes><process_info><pid>7</pid><process_name>${name}</process_name></process_info></processes></gpu>`,
  );

interface Odd {
  /** The driver, and where its output was seen. */
  source: string;
  output: string;
  exit?: number;
  /** The numbers and memory of the GPUs that can be used. */
  gpus: [index: number, memoryMb: number][];
  /** Null for no trouble. */
  trouble: RegExp | null;
}

const both: Odd["gpus"] = [
  [0, 46_068],
  [1, 46_068],
];
const second: Odd["gpus"] = [[1, 46_068]];

const answers: Odd[] = [
  {
    source: "340.102, netdata/netdata #2759: DTD v6, no CUDA version",
    gpus: both,
    trouble: null,
    output: healthy.replace(/<cuda_version>.*<\/cuda_version>/, ""),
  },
  {
    source: "610.43, sgl-project/sglang #27487: other names in the root",
    gpus: both,
    trouble: null,
    output: gpuDocument({ gpus: [A40(0), A40(1)], driver: "610.43.02" }),
  },
  {
    source: "Windows and PowerShell: a byte order mark, and CR LF",
    gpus: both,
    trouble: null,
    output: `\uFEFF${healthy.replaceAll("\n", "\r\n")}`,
  },
  {
    source:
      "450.80 and 384.130, microsoft/pai #3756, NVIDIA/gpu-operator #20: a warning after the document",
    gpus: both,
    trouble: /^nvidia-smi: WARNING: infoROM is corrupted at gpu 0000:B3:00.0$/,
    output: `${healthy}WARNING: infoROM is corrupted at gpu 0000:B3:00.0\n`,
  },
  {
    source: "a warning after the document with the end of a tag in it",
    gpus: both,
    trouble: /^nvidia-smi: WARNING: <driver> is old$/,
    output: `${healthy}WARNING: <driver> is old\n`,
  },
  {
    source: "545, a program whose arguments have line breaks and signs of XML",
    gpus: both,
    trouble: null,
    output: process("python -c 'if a < b:\n  print(\"&\")'"),
  },
  {
    source: "GB10, NVIDIA/k8s-device-plugin #1482: memory of the machine",
    gpus: [
      [0, 0],
      [1, 46_068],
    ],
    trouble: null,
    output: memory("[N/A]"),
  },
  {
    source: "a GPU that counts no memory is none with the machine's",
    gpus: second,
    trouble: /^nvidia-smi: GPU 0: it says that it has no memory$/,
    output: memory("0 MiB"),
  },
  {
    source: "595, NVIDIA/k8s-test-infra qx-gb200-lost.xml",
    gpus: second,
    trouble: /GPU 0: GPU is lost$/,
    output: memory("GPU is lost"),
  },
  {
    source: "570, NVML code 16",
    gpus: second,
    trouble: /GPU 0: \[GPU requires reset\]$/,
    output: memory("[GPU requires reset]"),
  },
  {
    source: "550, NVML code 999",
    gpus: second,
    trouble: /GPU 0: \[Unknown Error\]$/,
    output: inFirst("NVIDIA A40", "[Unknown Error]"),
  },
  {
    source: "550, the banner's word in place of a value",
    gpus: second,
    trouble: /GPU 0: ERR!$/,
    output: memory("ERR!"),
  },
  {
    source: "550, an unprivileged container, NVML code 4",
    gpus: second,
    trouble: /GPU 0: Insufficient Permissions$/,
    output: memory("Insufficient Permissions"),
  },
  {
    source: "Jetson: a UUID of another form",
    gpus: second,
    trouble: /GPU 0: its UUID is "1833c8b5-4b0a", and no GPU's$/,
    output: inFirst(uuid, "1833c8b5-4b0a"),
  },
  {
    source: "535, a vGPU guest",
    gpus: both,
    trouble: null,
    output: healthy.replaceAll("NVIDIA A40", "NVIDIA A40-48Q"),
  },
];

/** Answers of which nothing can be used: the reading before stands, marked stale. */
const failures: Omit<Odd, "gpus">[] = [
  {
    source: "550, driver not loaded",
    exit: 9,
    trouble: /^nvidia-smi: NVIDIA-SMI has failed because it couldn't communicate/,
    output:
      "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n",
  },
  {
    source: "550, updated without a restart",
    exit: 18,
    trouble:
      /^nvidia-smi: Failed to initialize NVML: Driver\/library version mismatch; NVML library version: 550.163$/,
    output:
      "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 550.163\n",
  },
  {
    source: "535, a cgroup that lost its devices",
    exit: 255,
    trouble: /^nvidia-smi: Failed to initialize NVML: Unknown Error$/,
    output: "Failed to initialize NVML: Unknown Error\n",
  },
  {
    source: "another language",
    exit: 1,
    trouble: /^nvidia-smi: Aucun périphérique n’a été trouvé$/,
    output: "Aucun périphérique n’a été trouvé\n",
  },
  {
    source: "half a document",
    trouble: /^nvidia-smi: its XML document is incomplete$/,
    output: healthy.slice(0, healthy.length / 2),
  },
  {
    source: "half a document and exit 0, killed by a wrapper",
    trouble: /^nvidia-smi: Terminated; its XML document is incomplete$/,
    output: `Terminated\n${healthy.slice(0, 900)}`,
  },
  { source: "nothing", trouble: /^nvidia-smi: it lists no GPUs$/, output: "" },
  {
    source: "garbage",
    trouble: /^nvidia-smi: x{600}$/,
    output: `${"x".repeat(2_000_000)}\n`.repeat(2),
  },
];

/** The programs of a machine whose `nvidia-smi -q -x` prints this; its list stays. */
function machineThat(answer: () => Pick<Odd, "output" | "exit">): Run {
  return async (program, args) => {
    if (program !== "nvidia-smi") {
      if (program === "sh") return "";
      throw Object.assign(new Error(`spawn ${program} ENOENT`), { code: "ENOENT" });
    }
    const { output, exit = 0 } = answer();
    const isFailing = exit !== 0;
    const stdout = args[0] === "-L" && !isFailing ? list : output;
    if (!isFailing) return stdout;
    throw Object.assign(new Error(`exit ${exit}`), { stdout, code: exit });
  };
}

const usable = ({ gpus }: { gpus: { index: number; memoryMb: number }[] }) =>
  gpus.map(({ index, memoryMb }) => [index, memoryMb]);

test("odd answers of nvidia-smi leave the GPUs that it names, with its words for the others", async () => {
  for (const { source, gpus, trouble, ...answer } of answers) {
    const read = await gpuReader(machineThat(() => answer)).read();
    assert.deepEqual(usable(read), gpus, source);
    if (trouble) assert.match(read.gpuTrouble ?? "", trouble, source);
    else assert.equal(read.gpuTrouble, null, source);
  }
});

test("an answer that says nothing leaves the last reading, marked stale, until the next good one", async () => {
  for (const { source, trouble, ...failure } of failures) {
    let answer: Pick<Odd, "output" | "exit"> = { output: healthy };
    const reader = gpuReader(machineThat(() => answer));
    const before = await reader.read();
    answer = failure;
    for (const _ of [1, 2]) {
      const read = await reader.read();
      assert.deepEqual(read.gpus, before.gpus, source);
      assert.deepEqual(
        read.gpuFaults.map(({ code }) => code),
        ["stale", "stale"],
        source,
      );
      assert.match(read.gpuTrouble ?? "", trouble!, source);
    }
    answer = { output: healthy };
    const after = await reader.read();
    assert.deepEqual([after.gpuTrouble, after.gpuFaults], [null, []], source);
  }
});
