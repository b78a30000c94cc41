// nvidia-smi and rocm-smi, with the GPUs of the Pod.

import { createHash } from "node:crypto";
import type { GpuFacts, PodFacts } from "../messages.ts";
import { printed, type Result, refused } from "./programs.ts";

const DRIVER = "570.0.0";
const CUDA = "12.8";

const isAmd = ({ name }: GpuFacts) => /^AMD\b/.test(name);
const missing = (program: string) => refused(`bash: ${program}: command not found`, 127);

/** A stable id, as of a device. */
function uuidOf(pod: string, index: number): string {
  const hex = createHash("sha256").update(`${pod}/${index}`).digest("hex").slice(0, 32);
  return `GPU-${hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")}`;
}

/** The fields of --query-gpu, with their units. */
const FIELDS: Record<string, [(gpu: GpuFacts, pod: PodFacts) => string | number, string]> = {
  index: [({ index }) => index, ""],
  name: [({ name }) => name, ""],
  gpu_name: [({ name }) => name, ""],
  uuid: [({ index }, { id }) => uuidOf(id, index), ""],
  gpu_uuid: [({ index }, { id }) => uuidOf(id, index), ""],
  count: [(_, { gpus }) => gpus.length, ""],
  driver_version: [() => DRIVER, ""],
  "memory.total": [({ memoryMb }) => memoryMb, "MiB"],
  "memory.used": [({ usedMb }) => usedMb, "MiB"],
  "memory.free": [({ memoryMb, usedMb }) => memoryMb - usedMb, "MiB"],
  "utilization.gpu": [({ utilPercent }) => utilPercent, "%"],
  "utilization.memory": [
    ({ usedMb, memoryMb }) => (memoryMb ? Math.round((100 * usedMb) / memoryMb) : 0),
    "%",
  ],
};

export function nvidiaSmi(args: string[], pod: PodFacts): Result {
  const gpus = pod.gpus.filter((gpu) => !isAmd(gpu));
  if (gpus.length === 0) return missing("nvidia-smi");
  const query = args.find((arg) => arg.startsWith("--query-gpu="));
  if (query) return queryGpus(query, args, gpus, pod);
  if (args.includes("-L") || args.includes("--list-gpus")) {
    const row = ({ index, name }: GpuFacts) =>
      `GPU ${index}: ${name} (UUID: ${uuidOf(pod.id, index)})\n`;
    return printed(gpus.map(row).join(""));
  }
  if (args.length > 0)
    return refused(`nvidia-smi: a simulated Pod does not answer ${args.join(" ")}`, 127);
  return printed(table(gpus));
}

function queryGpus(query: string, args: string[], gpus: GpuFacts[], pod: PodFacts): Result {
  const names = query
    .slice("--query-gpu=".length)
    .split(",")
    .map((name) => name.trim());
  const format =
    args
      .find((arg) => arg.startsWith("--format="))
      ?.slice("--format=".length)
      .split(",") ?? [];
  if (!format.includes("csv"))
    return refused('"--format=" switch is missing. Use "--format=csv".', 6);
  const unknown = names.find((name) => !Object.hasOwn(FIELDS, name));
  if (unknown !== undefined) {
    return refused(`Field "${unknown}" is not a valid field to query.`, 2);
  }
  const hasUnits = !format.includes("nounits");
  const header = names.map((name) => {
    const unit = FIELDS[name]![1];
    return unit && hasUnits ? `${name} [${unit}]` : name;
  });
  const row = (gpu: GpuFacts) =>
    names.map((name) => {
      const [read, unit] = FIELDS[name]!;
      return unit && hasUnits ? `${read(gpu, pod)} ${unit}` : `${read(gpu, pod)}`;
    });
  const rows = [...(format.includes("noheader") ? [] : [header]), ...gpus.map(row)];
  return printed(rows.map((cells) => `${cells.join(", ")}\n`).join(""));
}

function table(gpus: GpuFacts[]): string {
  const width = 78;
  const rule = `+${"-".repeat(width)}+\n`;
  const line = (text: string) => `| ${text.padEnd(width - 2).slice(0, width - 2)} |\n`;
  const rows = gpus.map(({ index, name, usedMb, memoryMb, utilPercent }) =>
    line(
      `${String(index).padStart(3)}  ${name.padEnd(36)} ${`${usedMb}MiB / ${memoryMb}MiB`.padStart(22)} ${`${utilPercent}%`.padStart(8)}`,
    ),
  );
  return [
    rule,
    line(`NVIDIA-SMI ${DRIVER}    Driver Version: ${DRIVER}    CUDA Version: ${CUDA}`),
    rule,
    line(`GPU  Name${"Memory-Usage".padStart(55)} ${"GPU-Util".padStart(8)}`),
    rule,
    ...rows,
    rule,
  ].join("");
}

export function rocmSmi(args: string[], pod: PodFacts): Result {
  const gpus = pod.gpus.filter(isAmd);
  if (gpus.length === 0) return missing("rocm-smi");
  if (args.length > 0)
    return refused(`rocm-smi: a simulated Pod does not answer ${args.join(" ")}`, 127);
  const rows = gpus.map(({ index, name, usedMb, memoryMb, utilPercent }) => {
    const vram = memoryMb ? Math.round((100 * usedMb) / memoryMb) : 0;
    return `${index}       ${name.padEnd(28)} ${String(vram).padStart(4)}%  ${String(utilPercent).padStart(4)}%\n`;
  });
  return printed(`Device  Name                         VRAM%   GPU%\n${rows.join("")}`);
}
