// What `amd-smi` says of AMD GPUs. Its documents differ between versions: a list, or an object with one.

import { isObject } from "../../base/json/is-object.ts";
import { type PciAddress, pciAddress } from "../../domain/gpu/kernel-line.ts";

export interface AmdSmiGpu {
  name: string | null;
  memoryMb: number | null;
  uncorrectable: number | null;
}

export const AMD_SMI_CALLS = [
  ["list", "--json"],
  ["static", "--asic", "--vram", "--json"],
  ["metric", "--ecc", "--json"],
] as const;

/** The GPUs by address. The documents are the answers to the calls above. Throws for a text in another form. */
export function parseAmdSmi([list, details, metrics]: readonly string[]): Map<
  PciAddress,
  AmdSmiGpu
> {
  const byNumber = (text: string) => new Map(elementsOf(text).map((each) => [each.gpu, each]));
  const [statics, counters] = [byNumber(details ?? ""), byNumber(metrics ?? "")];
  const gpus = elementsOf(list ?? "").flatMap(({ gpu, bdf }) => {
    const pci = typeof bdf === "string" ? pciAddress(bdf) : null;
    if (pci === null) return [];
    const [asic, vram] = [statics.get(gpu)?.asic, statics.get(gpu)?.vram];
    const read: AmdSmiGpu = {
      name: textOf(at(asic, "market_name")),
      memoryMb: megabytesOf(at(vram, "size")),
      uncorrectable: countOf(at(counters.get(gpu)?.ecc, "total_uncorrectable_count")),
    };
    return [[pci, read] as const];
  });
  // The partitions of a GPU have its address, and the first one stands for it.
  return new Map(gpus.toReversed());
}

function elementsOf(text: string): Record<string, unknown>[] {
  const document = documentIn(text);
  const elements = isObject(document) ? (document as { gpu_data?: unknown }).gpu_data : document;
  if (!Array.isArray(elements)) throw new Error("it has no list of GPUs");
  return elements.filter((each) => isObject(each)) as Record<string, unknown>[];
}

/** The JSON among the lines. Since 6.4 a warning that the user lacks groups is printed before it, on standard output too. */
function documentIn(text: string): unknown {
  const starts = [...text.matchAll(/^[^\S\n]*[[{]/gm)];
  for (const { index } of starts) {
    const document = parsedFrom(text.slice(index));
    if (document !== undefined) return document;
  }
  if (starts.length > 0) throw new Error("its JSON document is incomplete");
  const [first = "nothing"] = text.split("\n").filter((line) => line.trim() !== "");
  throw new Error(`it printed no JSON: ${first.trim()}`);
}

function parsedFrom(text: string): unknown {
  try {
    return JSON.parse(text.slice(0, 1 + Math.max(text.lastIndexOf("]"), text.lastIndexOf("}"))));
  } catch {
    return undefined;
  }
}

const at = (value: unknown, name: string): unknown =>
  isObject(value) ? (value as Record<string, unknown>)[name] : undefined;

const textOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" && value !== "N/A" ? value : null;

function countOf(value: unknown): number | null {
  const count = isObject(value) ? at(value, "value") : value;
  return typeof count === "number" && Number.isInteger(count) && count >= 0 ? count : null;
}

function megabytesOf(size: unknown): number | null {
  const count = countOf(size);
  return count !== null && /^gi?b$/i.test(textOf(at(size, "unit")) ?? "") ? count * 1_024 : count;
}
