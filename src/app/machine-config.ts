// The two settings that say what this machine offers: what its operator declares of it, and how many
// GPUs exist only on paper.

import { machineDeclared } from "../contract/rest-v1/machine.ts";
import type { Catalog } from "../domain/catalog/catalog.ts";
import { idsOf } from "../domain/catalog/catalog.ts";
import { strangers } from "../domain/catalog/strangers.ts";
import type { Declared, VirtualGpus } from "../domain/machine/inventory.ts";
import { declaredMistakes } from "../domain/machine/wishes.ts";
import { checkerOf } from "../edge/rest-v1/mistakes.ts";

const check = checkerOf(machineDeclared);

export function readMachine(given: string | null, catalog: Catalog, mistakes: string[]): Declared {
  if (given === null) return {};
  const value = parsed(given);
  const wrong = check(value);
  if (wrong) {
    const unknown = wrong.unknown.map(({ path, known }) => {
      return `"${path}" is not known; there are ${known.join(", ")}`;
    });
    const told = [...unknown, ...wrong.sentences];
    mistakes.push(...told.map((sentence) => `FREEHOLD_MACHINE: ${sentence}`));
    return {};
  }
  const machine = value as Declared;
  const odd = declaredMistakes(catalog, machine);
  mistakes.push(...odd.map((sentence) => `FREEHOLD_MACHINE: ${sentence}`));
  return machine;
}

const MOST = 900;

/** A number for every type, or an object that says it for some. Null: not said. */
export function readVirtualGpus(
  given: string | null,
  catalog: Catalog,
  mistakes: string[],
): VirtualGpus | null {
  if (given === null) return null;
  const value = /^\d+$/.test(given) ? Number(given) : parsed(given);
  const counts = typeof value === "number" ? ofEvery(catalog, value) : value;
  const right =
    typeof counts === "object" &&
    counts !== null &&
    Object.values(counts).every((each) => Number.isInteger(each) && each >= 0 && each <= MOST);
  if (!right) {
    const sentence = `takes a number of each type, or {"NVIDIA A40": 2}; 0 to ${MOST} of each`;
    mistakes.push(`FREEHOLD_VIRTUAL_GPUS ${sentence}`);
    return null;
  }
  const odd = strangers("it", Object.keys(counts), idsOf(catalog.gpuTypes), "a GPU type");
  mistakes.push(...odd.map((sentence) => `FREEHOLD_VIRTUAL_GPUS: ${sentence}`));
  return counts as VirtualGpus;
}

export function ofEvery(catalog: Catalog, count: number): VirtualGpus {
  return Object.fromEntries(catalog.gpuTypes.map(({ id }) => [id, count]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
