// The two settings about what this machine offers: what its operator declares, and how many virtual
// GPUs it has.

import { parseJson } from "../../base/json/parse.ts";
import { machineDeclared } from "../../contract/rest-v1/machine/machine.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { unknownGpuTypes } from "../../domain/catalog/unknown-names.ts";
import type { Declared, VirtualGpus } from "../../domain/machine/inventory.ts";
import { validateDeclared } from "../../domain/machine/machine-request.ts";
import { checkerOf, sentenceOf } from "../../edge/management/serve/validation-errors.ts";

const check = checkerOf(machineDeclared);

export function readMachine(setting: string | null, catalog: Catalog, errors: string[]): Declared {
  if (setting === null) return {};
  const value = parsed(setting);
  const wrong = check(value);
  if (wrong) {
    const unknown = wrong.unknown.map(({ path, known }) => {
      return `"${path}" is not known; there are ${known.join(", ")}`;
    });
    const problems = [...unknown, ...wrong.others.map(sentenceOf)];
    errors.push(...problems.map((sentence) => `FREEHOLD_MACHINE: ${sentence}`));
    return {};
  }
  const machine = value as Declared;
  const odd = validateDeclared(catalog, machine);
  errors.push(...odd.map((sentence) => `FREEHOLD_MACHINE: ${sentence}`));
  return machine;
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

const MOST = 900;

/** A number for every type, or an object with a number for some. Null if it is not set. */
export function readVirtualGpus(
  setting: string | null,
  catalog: Catalog,
  errors: string[],
): VirtualGpus | null {
  if (setting === null) return null;
  const value = /^\d+$/.test(setting) ? Number(setting) : parsed(setting);
  const counts = typeof value === "number" ? ofEvery(catalog, value) : value;
  const right =
    typeof counts === "object" &&
    counts !== null &&
    Object.values(counts).every((each) => Number.isInteger(each) && each >= 0 && each <= MOST);
  if (!right) {
    const sentence = `takes a number of each type, or {"NVIDIA A40": 2}; 0 to ${MOST} of each`;
    errors.push(`FREEHOLD_VIRTUAL_GPUS ${sentence}`);
    return null;
  }
  const odd = unknownGpuTypes("it", Object.keys(counts), catalog);
  errors.push(...odd.map((sentence) => `FREEHOLD_VIRTUAL_GPUS: ${sentence}`));
  return counts as VirtualGpus;
}

export function ofEvery(catalog: Catalog, count: number): VirtualGpus {
  return Object.fromEntries(catalog.gpuTypes.map(({ id }) => [id, count]));
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
