// The GPUs of a machine, read from `nvidia-smi`. Only a machine without that program has no GPUs; whatever else
// keeps a GPU from being read is trouble of the machine, and the GPUs that can be read are kept.

import type { Hardware } from "../../domain/machine/inventory.ts";
import { DriverUnavailable } from "../driver.ts";
import type { Run } from "./run.ts";
import { ANSWER_MS, singleProbe } from "./single-probe.ts";

const FIELDS = [
  "--query-gpu=index,name,memory.total,driver_version",
  "--format=csv,noheader,nounits",
];

export type Gpus = Required<Pick<Hardware, "gpus" | "gpuDriver" | "cudaVersion" | "gpuTrouble">>;

interface Output {
  text: string;
  /** Null if the program ended with exit code 0. */
  error: string | null;
  isMissing: boolean;
}

/** Returns a function that reads the GPUs. It rejects with DriverUnavailable if the machine is not reached. */
export function gpuReader(run: Run): () => Promise<Gpus> {
  const gpuTrouble = `nvidia-smi does not answer within ${ANSWER_MS / 1_000} s`;
  return singleProbe(() => probeGpus(run), { ...NO_GPUS, gpuTrouble });
}

const NO_GPUS: Gpus = { gpus: [], gpuDriver: null, cudaVersion: null, gpuTrouble: null };

async function probeGpus(run: Run): Promise<Gpus> {
  const [table, banner] = await Promise.all([outputOf(run, FIELDS), outputOf(run, [])]);
  if (table.isMissing) return NO_GPUS;
  const all = parseGpus(table.text, banner.text, table.error);
  if (all.gpus.length > 0 || all.gpuTrouble === null) return withMissing(run, all);
  // Up to driver 555 one GPU without a handle hides the rows of the others; they answer by their ids.
  const list = await outputOf(run, ["-L"]);
  const ids = [...list.text.matchAll(/^GPU \d+:.*\(UUID: (GPU-[\w-]+)\)/gm)].map(([, id]) => id!);
  if (ids.length === 0) return all;
  const some = await outputOf(run, [...FIELDS, "-i", ids.join(",")]);
  return { ...parseGpus(some.text, banner.text, some.error), gpuTrouble: all.gpuTrouble };
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

/** A row may be left out without a word; the PCI bus still has the GPU. */
async function withMissing(run: Run, all: Gpus): Promise<Gpus> {
  if (all.gpuTrouble !== null) return all;
  const text = await run("sh", ["-c", COUNT_ON_BUS]).catch(() => "");
  const onBus = text.split("\n").filter(Boolean).length;
  if (onBus <= all.gpus.length) return all;
  const gpuTrouble = `nvidia-smi lists ${all.gpus.length} of the ${onBus} NVIDIA GPUs on the PCI bus`;
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

/**
 * `banner` is the output without arguments, the only place that holds the CUDA version. `error` says how the
 * program failed that printed the table; it prints the causes on standard output.
 */
export function parseGpus(table: string, banner: string, error: string | null = null): Gpus {
  const gpus: Gpus["gpus"] = [];
  const problems: string[] = [];
  let gpuDriver: string | null = null;
  for (const line of table.split("\n").map((each) => each.trim())) {
    if (line === "") continue;
    const [index = "", name = "", memory = "", driver = ""] = line
      .split(",")
      .map((cell) => cell.trim());
    const isRow = /^\d+$/.test(index) && name !== "";
    if (!isRow || isFailed(name) || isFailed(memory)) {
      problems.push(isRow ? `GPU ${index}: ${isFailed(name) ? name : memory}` : line);
      continue;
    }
    // "[N/A]" for a GPU that shares the machine's memory.
    gpus.push({ index: Number(index), name, memoryMb: Number.parseInt(memory, 10) || 0 });
    if (/^\d+\./.test(driver)) gpuDriver ??= driver;
  }
  if (problems.length === 0 && error !== null) problems.push(error);
  if (problems.length === 0 && gpus.length === 0) problems.push("it lists no GPUs");
  const gpuTrouble =
    problems.length === 0 ? null : `nvidia-smi: ${[...new Set(problems)].join("; ").slice(0, 600)}`;
  return {
    gpus,
    gpuDriver,
    cudaVersion: /CUDA (?:UMD )?Version:\s*(\d+\.\d+)/.exec(banner)?.[1] ?? null,
    gpuTrouble,
  };
}

/** A word in brackets in place of a value, such as "[GPU is lost]"; "[N/A]" only means not supported. */
const isFailed = (cell: string) =>
  /^\[.*\]$/.test(cell) && !/^\[(?:N\/A|Not Supported)\]$/i.test(cell);
