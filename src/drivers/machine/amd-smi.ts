// What `amd-smi` says of AMD GPUs. Its documents differ between versions: a list, an object with one, or of ROCm 5.7 and 6.0
// with one GPU, the GPU itself.

import { isObject } from "../../base/json/is-object.ts";
import { type PciAddress, pciAddress } from "../../domain/gpu/kernel-line.ts";
import type { Run, RunError } from "./run.ts";

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

/** ROCm 5.7 has no `--vram`; the kernel says how much memory there is. */
const DETAILS_OF_5 = ["static", "--asic", "--json"];

/** Once `stopped` is aborted, the program is ended. */
export async function readAmdSmi(
  run: Run,
  stopped: AbortSignal,
): Promise<Map<PciAddress, AmdSmiGpu>> {
  const ask = (args: readonly string[]) => run("amd-smi", args, "", stopped);
  const [list, details, metrics] = AMD_SMI_CALLS;
  const askDetails = async () => {
    const text = await ask(details).catch((error: RunError) => error);
    if (typeof text === "string" && errorIn(text) === null) return text;
    if (stopped.aborted) throw text;
    return ask(DETAILS_OF_5);
  };
  return parseAmdSmi(await Promise.all([ask(list), askDetails(), ask(metrics)]));
}

/** The words of a call that failed: on standard error, or as a document on standard output. */
export function amdSmiProblem({ message, stdout = "" }: RunError): string {
  const words = (stdout.trim() !== "" && errorIn(stdout)) || message.trim().split("\n").at(-1)!;
  return words.slice(0, 300);
}

/** The GPUs by address. The documents are the answers to the calls above. Throws for a text in another form. */
export function parseAmdSmi([list, details, metrics]: readonly string[]): Map<
  PciAddress,
  AmdSmiGpu
> {
  const byNumber = (text: string) => new Map(elementsOf(text).map((each) => [each.gpu, each]));
  const statics = byNumber(details ?? "");
  // ROCm 5.7 answers with an error for a card without ECC, which has no counters.
  const counters = byNumber(isUnsupported(metrics ?? "") ? "[]" : (metrics ?? ""));
  const gpus = elementsOf(list ?? "").flatMap(({ gpu, bdf }) => {
    const pci = typeof bdf === "string" ? pciAddress(bdf) : null;
    if (pci === null) return [];
    const [asic, vram] = [statics.get(gpu)?.asic, statics.get(gpu)?.vram];
    const read: AmdSmiGpu = {
      name: textOf(at(asic, "market_name")),
      memoryMb: megabytesOf(at(vram, "size")) ?? countOf(at(vram, "vram_size_mb")),
      uncorrectable: uncorrectableIn(counters.get(gpu)?.ecc),
    };
    return [[pci, read] as const];
  });
  // The partitions of a GPU have its address, and the first one stands for it.
  return new Map(gpus.toReversed());
}

function uncorrectableIn(ecc: unknown): number | null {
  return countOf(at(ecc, "total_uncorrectable_count")) ?? countOf(at(ecc, "uncorrectable"));
}

function elementsOf(text: string): Record<string, unknown>[] {
  const document = documentIn(text);
  const error = textOf(at(document, "error"));
  if (error !== null) throw new Error(error);
  const single = at(document, "gpu") === undefined ? undefined : [document];
  const elements = isObject(document) ? (at(document, "gpu_data") ?? single) : document;
  if (!Array.isArray(elements)) throw new Error("it has no list of GPUs");
  return elements.filter((each) => isObject(each)) as Record<string, unknown>[];
}

/** Why a text is no list of GPUs; null if it is one. */
function errorIn(text: string): string | null {
  try {
    elementsOf(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const isUnsupported = (text: string) => /NOT_SUPPORTED/.test(errorIn(text) ?? "");

/** The JSON among the lines. Since 6.4 a warning that the user lacks groups is printed before it, on standard output too. */
function documentIn(text: string): unknown {
  const starts = [...text.matchAll(/^[^\S\n]*[[{]/gm)];
  for (const { index } of starts) {
    const document = parsedFrom(text.slice(index).trimStart());
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
