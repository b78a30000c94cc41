// The names of fields in refusals: as the client sent them, where GraphQL names a field otherwise than REST v1,
// whose schemas check both.

import { Fault } from "../../../domain/fault.ts";
import { WordedFault } from "./graphql-error.ts";

/** Fields of REST v1 that no input of GraphQL has; the first name stands where none was sent. */
const renamed: Record<string, readonly string[]> = {
  dockerStartCmd: ["dockerArgs"],
  dockerEntrypoint: ["dockerArgs"],
  gpuTypeIds: ["gpuTypeId", "gpuTypeIdList", "gpuIds"],
  minVCPUPerGPU: ["minVcpuCount"],
  minRAMPerGPU: ["minMemoryInGb"],
  countryCodes: ["countryCode"],
  minDownloadMbps: ["minDownload"],
  minUploadMbps: ["minUpload"],
  cpuFlavorIds: ["instanceId", "instanceIds"],
  vcpuCount: ["instanceId", "instanceIds", "minVcpuCount"],
  flashboot: ["flashBootType"],
};

/** Fields that some inputs name as REST v1 does, and others so. */
const renamedInSome: Record<string, readonly string[]> = {
  name: ["clusterName"],
  gpuCount: ["gpuCountPerPod"],
  ports: ["port"],
  allowedCudaVersions: ["cudaVersion"],
  dataCenterIds: ["dataCenterId", "locations"],
  networkVolumeIds: ["networkVolumeId"],
  modelReferences: ["modelName"],
};

const CALLER_STATUS = 400;

/** The error for the client that sent these arguments. */
export function inSentNames(error: unknown, args: unknown): unknown {
  if (!(error instanceof Fault) || error.status !== CALLER_STATUS) return error;
  const sent = new Set(fieldsOf(args));
  const sentence = error.message.replace(
    /"(\w+)((?:\[\d+\])?)([^"]*)"/g,
    (whole, field: string, _index, rest: string) => {
      const name = sentName(field, sent);
      return name === field ? whole : `"${name}${rest}"`;
    },
  );
  return sentence === error.message ? error : new WordedFault(sentence, error.code);
}

function sentName(field: string, sent: ReadonlySet<string>): string {
  if (sent.has(field)) return field;
  const others = namesOf(renamed, field) ?? namesOf(renamedInSome, field) ?? [];
  const fallback = namesOf(renamed, field)?.[0] ?? field;
  return others.find((name) => sent.has(name)) ?? fallback;
}

const namesOf = (table: Record<string, readonly string[]>, field: string) =>
  Object.hasOwn(table, field) ? table[field] : undefined;

/** The names of all fields in the arguments, also of inputs in an input. */
function fieldsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    inner === undefined || inner === null ? [] : [name, ...fieldsOf(inner)],
  );
}
