// The GPUs of a machine, read from `nvidia-smi`. Only a machine without that program has no GPUs; whatever else
// keeps a GPU from being read is trouble of the machine, and the GPUs that can be read are kept.

import { type GpuFault, gpuFaultText, judgeGpu } from "../../domain/gpu/judge-readings.ts";
import type { Hardware } from "../../domain/machine/inventory.ts";
import { DriverUnavailable } from "../driver.ts";
import type { GpuDocument } from "./nvidia-smi-xml.ts";
import type { Run } from "./run.ts";
import { ANSWER_MS, singleProbe } from "./single-probe.ts";

const QUERY = ["-q", "-x"];

export type Gpus = Required<
  Pick<Hardware, "gpus" | "gpuDriver" | "cudaVersion" | "gpuTrouble" | "gpuFaults">
>;

interface Output {
  text: string;
  /** Null if the program ended with exit code 0. */
  error: string | null;
  isMissing: boolean;
}

/** Returns a function that reads the GPUs. It rejects with DriverUnavailable if the machine is not reached. */
export function gpuReader(run: Run): () => Promise<Gpus> {
  const gpuTrouble = `nvidia-smi does not answer within ${ANSWER_MS / 1_000} s`;
  const probe = singleProbe(() => probeGpus(run), { ...NO_GPUS, gpuTrouble });
  let last: Gpus = NO_GPUS;
  return async () => {
    const reading = await probe();
    if (reading.gpus.length === 0 && reading.gpuTrouble)
      return staleReading(last, reading.gpuTrouble);
    last = reading;
    return reading;
  };
}

/** The GPUs of the last good reading: workloads keep theirs, and no new ones get any. */
function staleReading(last: Gpus, gpuTrouble: string): Gpus {
  const gpuFaults = last.gpus.map(({ index, uuid = "" }): GpuFault => {
    const reason = `it was not read again: ${gpuTrouble}`;
    return { index, uuid, code: "stale", reason, recommendation: "correct the driver" };
  });
  return { ...last, gpuTrouble, gpuFaults };
}

const NO_GPUS: Gpus = {
  gpus: [],
  gpuDriver: null,
  cudaVersion: null,
  gpuTrouble: null,
  gpuFaults: [],
};

async function probeGpus(run: Run): Promise<Gpus> {
  const [query, list] = await Promise.all([outputOf(run, QUERY), outputOf(run, ["-L"])]);
  if (query.isMissing) return NO_GPUS;
  const { parseGpuDocument } = await import("./nvidia-smi-xml.ts");
  const numbers = parseGpuList(list.text);
  const document = parseGpuDocument(query.text);
  const all = gpusFrom(document, numbers, query.error);
  if (document.gpus.length > 0 || numbers.size === 0) return withMissing(run, all);
  // Up to driver 555 one GPU without a handle hides the others; they answer by their ids.
  const some = await outputOf(run, [...QUERY, "-i", [...numbers.keys()].join(",")]);
  const others = parseGpuDocument(some.text);
  const lines = [...document.lines, ...others.lines];
  return gpusFrom({ ...others, lines }, numbers, some.error ?? query.error);
}

async function outputOf(run: Run, args: readonly string[]): Promise<Output> {
  try {
    return { text: await run("nvidia-smi", args), error: null, isMissing: false };
  } catch (err) {
    if (err instanceof DriverUnavailable) throw err;
    const { message, code, stdout = "" } = err as Error & { code?: unknown; stdout?: string };
    return { text: stdout, error: message, isMissing: code === "ENOENT" };
  }
}

/** The numbers of the GPUs by their UUIDs. The document has no numbers, and the slices of a GPU are lines below it. */
export function parseGpuList(text: string): Map<string, number> {
  const lines = text.matchAll(/^GPU (\d+):.*\(UUID: (GPU-[\w-]+)\)/gm);
  return new Map([...lines].map(([, index, uuid]) => [uuid!, Number(index)]));
}

/** `error` says how the program failed that printed the document. */
export function gpusFrom(
  document: GpuDocument,
  numbers: ReadonlyMap<string, number>,
  error: string | null,
): Gpus {
  const gpus: Gpus["gpus"] = [];
  const gpuFaults: GpuFault[] = [];
  const problems = [...document.lines];
  for (const [position, gpu] of document.gpus.entries()) {
    const { uuid, name, memoryMb, failure } = gpu;
    const number = uuid === null ? undefined : numbers.get(uuid);
    const index = number ?? position;
    if (failure !== null || uuid === null) {
      problems.push(`GPU ${index}: ${failure}`);
      continue;
    }
    // Its place in the document is the number of another GPU if one before it is left out.
    if (number === undefined && numbers.size > 0) {
      problems.push(`GPU ${uuid}: it has no number`);
      continue;
    }
    gpus.push({ index, uuid, name, memoryMb });
    const finding = judgeGpu(gpu.readings);
    if (finding) gpuFaults.push({ index, uuid, ...finding });
  }
  if (problems.length === 0 && error !== null) problems.push(error);
  if (problems.length === 0 && gpus.length === 0) problems.push("it lists no GPUs");
  const { gpuDriver, cudaVersion } = document;
  const troubles = [...problems, ...gpuFaults.map(gpuFaultText)];
  const gpuTrouble =
    troubles.length === 0 ? null : `nvidia-smi: ${[...new Set(troubles)].join("; ").slice(0, 600)}`;
  return { gpus, gpuDriver, cudaVersion, gpuTrouble, gpuFaults };
}

/** A row may be left out without a word; the PCI bus still has the GPU. */
async function withMissing(run: Run, all: Gpus): Promise<Gpus> {
  if (all.gpuTrouble !== null && all.gpuFaults.length === 0) return all;
  const text = await run("sh", ["-c", COUNT_ON_BUS]).catch(() => "");
  const onBus = text.split("\n").filter(Boolean).length;
  if (onBus <= all.gpus.length) return all;
  const count = `nvidia-smi lists ${all.gpus.length} of the ${onBus} NVIDIA GPUs on the PCI bus`;
  const gpuTrouble = all.gpuTrouble === null ? count : `${count}; ${all.gpuTrouble}`;
  return { ...all, gpuTrouble };
}

/**
 * Lists the NVIDIA GPUs that the NVIDIA driver has or no driver has: others are passed to virtual machines. A
 * container that was given some GPUs sees the bus of the whole host.
 */
const COUNT_ON_BUS = `
case "\${NVIDIA_VISIBLE_DEVICES:-all}" in all) ;; *) exit 0 ;; esac
for device in /sys/bus/pci/devices/*; do
  read -r vendor < "$device/vendor" && read -r class < "$device/class" || continue
  [ "$vendor" = 0x10de ] || continue
  case "$class" in 0x0300*|0x0302*) ;; *) continue ;; esac
  driver=$(readlink "$device/driver")
  case "\${driver##*/}" in nvidia|"") echo "$device" ;; esac
done 2>/dev/null; true`;
