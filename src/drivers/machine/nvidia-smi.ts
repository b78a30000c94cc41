// The GPUs of a machine, read from `nvidia-smi`. Only a machine without that program has no GPUs; whatever else
// keeps a GPU from being read is trouble of the machine, and the GPUs that can be read are kept.

import { sliceTypeId } from "../../domain/catalog/slice-name.ts";
import type { ReadGpu } from "../../domain/gpu/checks.ts";
import { type GpuFault, gpuFaultText, withSharedReboot } from "../../domain/gpu/gpu-health.ts";
import type { GpuSlices } from "../../domain/gpu/gpu-slices.ts";
import { judgeGpu, judgeMigMode } from "../../domain/gpu/judge-readings.ts";
import { joinMig, type ListedMig, parseMigList } from "../../domain/gpu/mig-devices.ts";
import type { Hardware } from "../../domain/machine/inventory.ts";
import { DriverUnavailable } from "../driver.ts";
import type { GpuIdentities, Identities } from "./gpu-identities.ts";
import type { GpuDocument } from "./nvidia-smi-xml.ts";
import type { Run, RunError } from "./run.ts";

const QUERY = ["-q", "-x"];

/** The GPUs of one maker. */
export interface MakerGpus
  extends Required<
    Pick<
      Hardware,
      "gpus" | "gpuDriver" | "cudaVersion" | "gpuTrouble" | "gpuFaults" | "gpuNotices" | "gpuSlices"
    >
  > {
  /** The health of the GPUs that were read just now, those that are split among them. */
  readings: ReadGpu[];
  /** True if a driver did not answer in time, and what it said before stands for its GPUs. */
  isSilent?: true;
  /** True if the driver answered that it has no GPUs. */
  isEmpty?: true;
}

type Reading = Omit<MakerGpus, "isSilent" | "isEmpty">;

/** The GPUs of a machine. */
export interface Gpus extends Omit<MakerGpus, "isEmpty">, Identities {}

interface Output {
  text: string;
  /** Null if the program ended with exit code 0. */
  error: string | null;
  isMissing: boolean;
  /** True if it was ended because it did not answer. */
  isSilent?: boolean;
}

export const NO_GPUS: MakerGpus = {
  gpus: [],
  gpuDriver: null,
  cudaVersion: null,
  gpuTrouble: null,
  gpuFaults: [],
  gpuNotices: [],
  gpuSlices: {},
  readings: [],
};

/** Rejects with DriverUnavailable if the machine is not reached. */
export async function probeGpus(run: Run, identities: GpuIdentities): Promise<MakerGpus> {
  const [query, list] = await Promise.all([outputOf(run, QUERY), outputOf(run, ["-L"])]);
  if (query.isMissing) return NO_GPUS;
  if (query.isSilent) return { ...NO_GPUS, isSilent: true };
  const { parseGpuDocument } = await import("./nvidia-smi-xml.ts");
  const listed = parseGpuList(list.text);
  const document = parseGpuDocument(query.text);
  const migDevices = parseMigList(list.text);
  const after = identities.number(
    listed.size > 0 ? withMigDevices(listed, migDevices) : positionsOf(document),
  );
  const numbered = { numbers: new Map(Object.entries(after)), migDevices };
  const addressed = (reading: Reading, { gpus }: GpuDocument) => {
    identities.address(gpus);
    return reading;
  };
  const reading = async () => {
    const all = readDocument(document, numbered, query.error);
    if (document.gpus.length > 0 || listed.size === 0) {
      return addressed(await withMissing(run, all), document);
    }
    // Up to driver 555 one GPU without a handle hides the others; they answer by their ids.
    const some = await outputOf(run, [...QUERY, "-i", [...listed.keys()].join(",")]);
    const others = parseGpuDocument(some.text);
    const lines = [...document.lines, ...others.lines];
    return addressed(gpusFrom({ ...others, lines }, numbered, some.error ?? query.error), others);
  };
  const isNone = listed.size === 0 && document.gpus.length === 0 && saysNone(document);
  return { ...(await reading()), ...(isNone && { isEmpty: true as const }) };
}

/** A GPU that is broken may be named on another line. */
const saysNone = ({ lines }: GpuDocument) =>
  lines.some((line) => /^No devices were found/i.test(line));

const positionsOf = ({ gpus }: GpuDocument) =>
  new Map(gpus.flatMap(({ uuid }, position) => (uuid === null ? [] : [[uuid, position] as const])));

/** MIG devices are numbered after the GPUs. */
function withMigDevices(listed: ReadonlyMap<string, number>, migDevices: readonly ListedMig[]) {
  const first = Math.max(...listed.values()) + 1;
  return new Map([...listed, ...migDevices.map(({ uuid }, n) => [uuid, first + n] as const)]);
}

async function outputOf(run: Run, args: readonly string[]): Promise<Output> {
  try {
    return { text: await run("nvidia-smi", args), error: null, isMissing: false };
  } catch (err) {
    if (err instanceof DriverUnavailable) throw err;
    const { message, code, stdout = "", killed = false } = err as RunError;
    return { text: stdout, error: message, isMissing: code === "ENOENT", isSilent: killed };
  }
}

/** The numbers of the GPUs by their UUIDs. The document has no numbers, and the slices of a GPU are lines below it. */
export function parseGpuList(text: string): Map<string, number> {
  const lines = text.matchAll(/^GPU (\d+):.*\(UUID: (GPU-[\w-]+)\)/gm);
  return new Map([...lines].map(([, index, uuid]) => [uuid!, Number(index)]));
}

/** What the list says. */
interface Listed {
  /** Keyed by UUID, those of MIG devices included. */
  numbers: ReadonlyMap<string, number>;
  migDevices: readonly ListedMig[];
}

/** `error` says how the program failed that printed the document. */
export function gpusFrom(document: GpuDocument, listed: Listed, error: string | null): Reading {
  return readingOf(readDocument(document, listed, error));
}

/** A document as it was read; `problems` are those of the machine and of GPUs that cannot be used at all. */
interface ReadDocument
  extends Pick<
    MakerGpus,
    "gpus" | "gpuDriver" | "cudaVersion" | "gpuFaults" | "gpuSlices" | "readings"
  > {
  problems: string[];
  /** The number of GPUs in the document, lost ones among them. */
  rows: number;
  /** Whether a GPU of the machine is not among `gpus`. */
  isIncomplete: boolean;
}

function readDocument(
  document: GpuDocument,
  { numbers, migDevices }: Listed,
  error: string | null,
): ReadDocument {
  const gpus: MakerGpus["gpus"] = [];
  const gpuFaults: GpuFault[] = [];
  const gpuSlices: Record<string, GpuSlices[string]> = {};
  const readings: ReadGpu[] = [];
  const problems = [...document.lines];
  let isIncomplete = problems.some((line) => /^Unable to determine the device handle/i.test(line));
  for (const [position, gpu] of document.gpus.entries()) {
    const { uuid, name, memoryMb, failure } = gpu;
    const number = uuid === null ? undefined : numbers.get(uuid);
    const index = number ?? position;
    if (failure !== null || uuid === null) {
      problems.push(`GPU ${index}: ${failure}`);
      isIncomplete = true;
      continue;
    }
    if (readings.some((each) => each.uuid === uuid)) {
      problems.push(`GPU ${index}: another GPU has its UUID ${uuid}`);
      continue;
    }
    // Its place in the document is the number of another GPU if one before it is left out.
    if (number === undefined && numbers.size > 0) {
      problems.push(`GPU ${uuid}: it has no number`);
      continue;
    }
    const own = migDevices.filter((each) => each.gpu === uuid);
    const devices = joinMig(gpu.migDevices, own);
    if (devices === null) return unclearLayout(document, index);
    readings.push({ index, uuid, readings: gpu.readings });
    const finding = judgeGpu(gpu.readings) ?? judgeMigMode(gpu.readings, devices.length);
    if (finding) gpuFaults.push({ index, uuid, ...finding });
    if (devices.length === 0) gpus.push({ index, uuid, name, memoryMb });
    for (const { finding: fault, memoryMb: part, uuid: id, ...slice } of devices) {
      const place = { index: numbers.get(id)!, uuid: id };
      gpus.push({ ...place, name: sliceTypeId(name, slice.profile), memoryMb: part });
      gpuSlices[id] = slice;
      if (fault) gpuFaults.push({ ...place, ...fault });
    }
  }
  if (problems.length === 0 && error !== null) problems.push(error);
  if (problems.length === 0 && gpus.length === 0) problems.push("it lists no GPUs");
  const { gpuDriver, cudaVersion } = document;
  const rows = document.gpus.length;
  const read = { gpus, gpuDriver, cudaVersion, gpuFaults, gpuSlices, readings };
  return { ...read, problems, rows, isIncomplete };
}

/** Nothing is lost by a reading that contradicts itself: the one before stands until the next. */
function unclearLayout({ gpus, gpuDriver, cudaVersion }: GpuDocument, index: number): ReadDocument {
  const problem = `GPU ${index}: its MIG devices in the list are not those in the document`;
  return {
    gpus: [],
    gpuDriver,
    cudaVersion,
    gpuFaults: [],
    gpuSlices: {},
    readings: [],
    problems: [problem],
    rows: gpus.length,
    isIncomplete: false,
  };
}

function readingOf({ problems, isIncomplete, rows: _, ...read }: ReadDocument): Reading {
  const all = { ...read, gpuNotices: [] };
  const indices = read.readings.map(({ index }) => index);
  const judged = isIncomplete ? withSharedReboot(all, indices) : all;
  const troubles = [...problems, ...judged.gpuFaults.map(gpuFaultText)];
  const gpuTrouble =
    troubles.length === 0 ? null : `nvidia-smi: ${[...new Set(troubles)].join("; ").slice(0, 600)}`;
  return { ...judged, gpuTrouble };
}

/** A row may be left out without a word; the PCI bus still has the GPU. */
async function withMissing(run: Run, read: ReadDocument): Promise<Reading> {
  if (read.problems.length > 0 && read.gpuFaults.length === 0) return readingOf(read);
  const text = await run("sh", ["-c", COUNT_ON_BUS]).catch(() => "");
  const onBus = text.split("\n").filter(Boolean).length;
  if (onBus <= read.rows) return readingOf(read);
  const count = `nvidia-smi lists ${read.rows} of the ${onBus} NVIDIA GPUs on the PCI bus`;
  const all = readingOf({ ...read, isIncomplete: true });
  return { ...all, gpuTrouble: all.gpuTrouble === null ? count : `${count}; ${all.gpuTrouble}` };
}

/**
 * Lists the NVIDIA GPUs that the NVIDIA driver has or no driver has: others are passed to virtual machines. A
 * container that was given some GPUs sees the bus of the whole host.
 */
export const COUNT_ON_BUS = `
case "\${NVIDIA_VISIBLE_DEVICES:-all}" in all) ;; *) exit 0 ;; esac
for device in /sys/bus/pci/devices/*; do
  read -r vendor < "$device/vendor" && read -r class < "$device/class" || continue
  [ "$vendor" = 0x10de ] || continue
  case "$class" in 0x0300*|0x0302*) ;; *) continue ;; esac
  driver=$(readlink "$device/driver")
  case "\${driver##*/}" in nvidia|"") echo "$device" ;; esac
done 2>/dev/null; true`;
