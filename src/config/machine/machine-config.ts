// The settings about what this machine offers and how it is observed: what its operator declares, how many simulated
// GPUs it has, where its kernel log is, and the thresholds of its GPUs' checks.

import Type from "typebox";
import { parseJson } from "../../base/json/parse.ts";
import { machineDeclared } from "../../contract/rest-v1/machine/machine-write.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { unknownGpuTypes } from "../../domain/catalog/unknown-names.ts";
import { checkCodes, defaultLimits, type GpuLimits } from "../../domain/gpu/checks.ts";
import type { Declared, GpuCounts } from "../../domain/machine/inventory.ts";
import { validateDeclared } from "../../domain/machine/machine-request.ts";
import { checkerOf, sentenceOf } from "../../edge/management/serve/validation-errors.ts";
import type { Given } from "../settings.ts";

const check = checkerOf(machineDeclared);

export function readMachine(setting: string | null, catalog: Catalog, errors: string[]): Declared {
  if (setting === null) return {};
  const value = parsed(setting);
  const problems = problemsOf(check(value));
  if (problems.length > 0) {
    errors.push(...problems.map((sentence) => `FREEHOLD_MACHINE: ${sentence}`));
    return {};
  }
  const machine = value as Declared;
  const odd = validateDeclared(catalog, machine);
  errors.push(...odd.map((sentence) => `FREEHOLD_MACHINE: ${sentence}`));
  return machine;
}

function problemsOf(wrong: ReturnType<typeof check>): string[] {
  if (!wrong) return [];
  const unknown = wrong.unknown.map(({ path, known }) => {
    return `"${path}" is not known; there are ${known.join(", ")}`;
  });
  return [...unknown, ...wrong.others.map(sentenceOf)];
}

/** On a laptop CPUs idle most of the time; elsewhere tenants get what they pay for. */
const LOOPBACK_OVERCOMMIT = 8;

export function readCpuOvercommit(
  setting: string | null,
  loopback: boolean,
  errors: string[],
): number {
  if (setting === null) return loopback ? LOOPBACK_OVERCOMMIT : 1;
  const factor = Number(setting);
  if (/^\d+(\.\d+)?$/.test(setting) && factor >= 1 && factor <= 100) return factor;
  errors.push(`FREEHOLD_CPU_OVERCOMMIT is "${setting}"; it takes a number from 1 to 100`);
  return 1;
}

/** Null for "off". */
export function readKernelLog(setting: string | null, errors: string[]): string | null {
  if (setting === "off") return null;
  const file = setting ?? "/dev/kmsg";
  if (!file.startsWith("/")) {
    errors.push(`FREEHOLD_KERNEL_LOG is "${file}"; it takes an absolute path, or off`);
  }
  return file;
}

const count = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }));
const gpuChecks = Type.Object(
  {
    lastingMinutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_440 })),
    remappedRows: count,
    doubleBitPages: count,
    retiredPages: count,
    eccErrors: count,
    failedWorkloads: Type.Optional(Type.Integer({ minimum: 2, maximum: 50 })),
    returnMinutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    cleanReadings: count,
    returnTests: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    quarantinedPods: Type.Optional(Type.Enum(["keep", "stop"])),
    migLayouts: Type.Optional(Type.Enum(["keep", "set"])),
    quarantine: Type.Optional(Type.Array(Type.Enum([...checkCodes]), { uniqueItems: true })),
  },
  { additionalProperties: false },
);
const checkGpuChecks = checkerOf(gpuChecks);

export function readGpuLimits(setting: string | null, errors: string[]): GpuLimits {
  if (setting === null) return defaultLimits;
  const value = parsed(setting);
  const sentences = problemsOf(checkGpuChecks(value));
  errors.push(...sentences.map((sentence) => `FREEHOLD_GPU_CHECKS: ${sentence}`));
  return sentences.length > 0 ? defaultLimits : { ...defaultLimits, ...(value as GpuLimits) };
}

const MOST = 900;

/** The sentence for an operator that uses the setting's earlier name. */
export function gpuDeprecations(setting: Given): string[] {
  if (setting("virtualGpus") === null) return [];
  return [
    "FREEHOLD_VIRTUAL_GPUS (virtualGpus, --virtual-gpus) is now FREEHOLD_GPUS (gpus, --gpus); the old name ends with the next release",
  ];
}

/** A number for every type, or an object with a number for some. Null if it is not set. */
export function readSimulatedGpus(
  settings: Given,
  catalog: Catalog,
  errors: string[],
): GpuCounts | null {
  const setting = settings("gpus") ?? settings("virtualGpus");
  if (setting === null) return null;
  const value = /^\d+$/.test(setting) ? Number(setting) : parsed(setting);
  const counts = typeof value === "number" ? ofEvery(catalog, value) : value;
  const right =
    typeof counts === "object" &&
    counts !== null &&
    Object.values(counts).every((each) => Number.isInteger(each) && each >= 0 && each <= MOST);
  if (!right) {
    const sentence = `takes a number of each type, or {"NVIDIA A40": 2}; 0 to ${MOST} of each`;
    errors.push(`FREEHOLD_GPUS ${sentence}`);
    return null;
  }
  const odd = unknownGpuTypes("it", Object.keys(counts), catalog);
  errors.push(...odd.map((sentence) => `FREEHOLD_GPUS: ${sentence}`));
  return counts as GpuCounts;
}

export function ofEvery(catalog: Catalog, count: number): GpuCounts {
  return Object.fromEntries(catalog.gpuTypes.map(({ id }) => [id, count]));
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
