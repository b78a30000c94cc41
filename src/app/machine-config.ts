// The two settings that say what this machine offers: what its operator declares of it, and how many
// GPUs exist only on paper.

import Type from "typebox";
import type { Catalog } from "../domain/catalog/catalog.ts";
import { idsOf } from "../domain/catalog/catalog.ts";
import { strangers } from "../domain/catalog/strangers.ts";
import type { Declared, VirtualGpus } from "../domain/machine/inventory.ts";
import { checkerOf } from "../edge/rest-v1/mistakes.ts";

const amount = Type.Number({ minimum: 0 });
const some = Type.Integer({ minimum: 1 });

const declared = Type.Partial(
  Type.Object({
    dataCenterId: Type.String(),
    countryCode: Type.String(),
    location: Type.String(),
    cloudType: Type.Enum(["SECURE", "COMMUNITY"]),
    cudaVersion: Type.String(),
    downloadMbps: amount,
    uploadMbps: amount,
    diskMBps: amount,
    supportPublicIp: Type.Boolean(),
    vcpus: some,
    memoryInGb: some,
    diskInGb: some,
  }),
  { additionalProperties: false },
);
const check = checkerOf(declared);

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
  const { dataCenterId, cudaVersion } = machine;
  const centers = dataCenterId === undefined ? [] : [dataCenterId];
  const versions = cudaVersion === undefined ? [] : [cudaVersion];
  const odd = [
    ...strangers("dataCenterId", centers, idsOf(catalog.dataCenters), "a data center"),
    ...strangers("cudaVersion", versions, catalog.cudaVersions, "a CUDA version we know"),
  ];
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
