// The document of `nvidia-smi -q -x` that stands for simulated GPUs, with the elements of the driver's generation. Pure.

import { CELL_WORDS, type GpuState } from "./scenario.ts";
import { migModeOf, type SimulatedGpu, type SimulatedGpus, type Slice } from "./simulated-gpus.ts";

/** The driver's word in place of every value of a GPU that is lost after it has its handle; null for other states. */
export function cellWord(state: GpuState): string | null {
  if (state === "fallen_off") return CELL_WORDS.lost;
  return (CELL_WORDS as Partial<Record<GpuState, string>>)[state] ?? null;
}

export const generationOf = (driverVersion: string) => Number(driverVersion.split(".")[0]);

interface Elements {
  [name: string]: string | Elements | Elements[];
}

/** The elements of a healthy GPU of a data center. */
function elementsOf(gpu: SimulatedGpu, generation: number): Record<string, string> {
  const { name, uuid, memoryMb, usedMb, utilPercent, slices } = gpu;
  const memory = (mb: number) => (memoryMb === null ? "N/A" : `${mb} MiB`);
  const isOld = generation < 570;
  const ecc = (period: string) => ({
    [`ecc_errors/${period}/sram_correctable`]: "0",
    ...(isOld
      ? { [`ecc_errors/${period}/sram_uncorrectable`]: "0" }
      : {
          [`ecc_errors/${period}/sram_uncorrectable_parity`]: "0",
          [`ecc_errors/${period}/sram_uncorrectable_secded`]: "0",
        }),
    [`ecc_errors/${period}/dram_correctable`]: "0",
    [`ecc_errors/${period}/dram_uncorrectable`]: "0",
  });
  const mig = migModeOf(gpu) ?? "N/A";
  return {
    product_name: name,
    persistence_mode: "Enabled",
    ...(generation >= 535 && { addressing_mode: memoryMb === null ? "ATS" : "None" }),
    "mig_mode/current_mig": mig,
    "mig_mode/pending_mig": gpu.mig === "pending" ? "Enabled" : mig,
    uuid,
    ...resetElements(generation),
    "pci/pci_bus_id": busId(gpu),
    "pci/pci_gpu_link_info/pcie_gen/max_link_gen": "4",
    "pci/pci_gpu_link_info/pcie_gen/current_link_gen": "4",
    "pci/pci_gpu_link_info/link_widths/max_link_width": "16x",
    "pci/pci_gpu_link_info/link_widths/current_link_width": "16x",
    performance_state: "P0",
    ...clockElements(generation < 535 ? "throttle" : "event"),
    "fb_memory_usage/total": memory(memoryMb ?? 0),
    "fb_memory_usage/used": memory(usedMb),
    "fb_memory_usage/free": memory((memoryMb ?? 0) - usedMb),
    "utilization/gpu_util": slices.length > 0 ? "N/A" : `${utilPercent} %`,
    ...ecc("volatile"),
    ...ecc("aggregate"),
    ...(!isOld && { "ecc_errors/aggregate/sram_threshold_exceeded": "No" }),
    ...(generation >= 580 && { "ecc_errors/channel_repair_pending": "No" }),
    ...(generation >= 580 && { "ecc_errors/tpc_repair_pending": "No" }),
    "retired_pages/pending_retirement": "N/A",
    ...(slices.length > 0
      ? { remapped_rows: "N/A" }
      : {
          "remapped_rows/remapped_row_corr": "0",
          "remapped_rows/remapped_row_unc": "0",
          "remapped_rows/remapped_row_pending": "No",
          "remapped_rows/remapped_row_failure": "No",
        }),
    "temperature/gpu_temp": temperatureIn({}),
    "temperature/gpu_temp_slow_threshold": "93 C",
  };
}

/** What a scenario says, such as "95 C"; it may be no number. */
export function temperatureIn({ "temperature/gpu_temp": value }: SimulatedGpu["values"]): string {
  return value === undefined ? "41 C" : (value ?? "N/A");
}

function resetElements(generation: number): Record<string, string> {
  if (generation < 570) return { "gpu_reset_status/reset_required": "No" };
  const deprecated = "Requested functionality has been deprecated";
  return {
    ...(generation < 595 && { "gpu_reset_status/reset_required": deprecated }),
    gpu_recovery_action: "None",
  };
}

const clockElements = (word: string) =>
  Object.fromEntries(
    ["sw_power_cap", "hw_slowdown", "hw_thermal_slowdown", "hw_power_brake_slowdown"].map(
      (reason) => [`clocks_${word}_reasons/clocks_${word}_reason_${reason}`, "Not Active"],
    ),
  );

/** "00000000:01:00.0" */
export const busId = ({ pci }: Pick<SimulatedGpu, "pci">) => `0000${pci.toUpperCase()}.0`;

export function gpuDocument(
  { driverVersion, cudaVersion }: SimulatedGpus,
  gpus: readonly SimulatedGpu[],
): string {
  const generation = generationOf(driverVersion);
  const cuda = generation < 610 ? "cuda_version" : "cuda_umd_version";
  const version = generation < 570 ? "v12" : "v13";
  const lines = [
    '<?xml version="1.0" ?>',
    `<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_${version}.dtd">`,
    "<nvidia_smi_log>",
    ...lineOf("driver_version", driverVersion, 1),
    ...lineOf(cuda, cudaVersion, 1),
    ...lineOf("attached_gpus", String(gpus.length), 1),
    ...gpus.flatMap((gpu) => [
      `\t<gpu id="${busId(gpu)}">`,
      ...Object.entries(treeOf(gpu, generation)).flatMap(([name, value]) => lineOf(name, value, 2)),
      "\t</gpu>",
    ]),
    "</nvidia_smi_log>",
  ];
  return `${lines.join("\n")}\n`;
}

/** What the driver still knows of a GPU that is lost. */
const IDENTITY = new Set(["product_name", "uuid", "pci/pci_bus_id"]);

function treeOf(gpu: SimulatedGpu, generation: number): Elements {
  const word = cellWord(gpu.state);
  const all = Object.entries(elementsOf(gpu, generation)).filter(
    ([path]) => !Object.keys(gpu.values).some((changed) => isWithin(path, changed)),
  );
  const changed = Object.entries(gpu.values).flatMap(([path, value]) =>
    value === null ? [] : [[path, value] as const],
  );
  const tree: Elements = {};
  for (const [path, value] of [...all, ...changed]) {
    setAt(tree, path.split("/"), word === null || IDENTITY.has(path) ? value : word);
  }
  const devices = gpu.slices.filter(({ uuid }) => uuid !== "");
  if (devices.length > 0) tree.mig_devices = { mig_device: devices.map(sliceElements) };
  return tree;
}

const isWithin = (path: string, changed: string) =>
  path === changed || path.startsWith(`${changed}/`) || changed.startsWith(`${path}/`);

function setAt(tree: Elements, [name = "", ...rest]: string[], value: string): void {
  if (rest.length === 0) {
    tree[name] = value;
    return;
  }
  const child = tree[name];
  const parent = typeof child === "object" && !Array.isArray(child) ? child : {};
  tree[name] = parent;
  setAt(parent, rest, value);
}

/** The document has neither the UUID nor the profile of a slice. */
function sliceElements(slice: Slice, index: number, all: readonly Slice[]): Elements {
  const instance = instanceOf(slice, index);
  const earlier = all.slice(0, index).filter((each, n) => instanceOf(each, n) === instance);
  return {
    index: String(index),
    gpu_instance_id: String(instance),
    compute_instance_id: String(earlier.length),
    fb_memory_usage: { total: `${slice.memoryMb} MiB` },
  };
}

const instanceOf = ({ gpuInstance }: Slice, index: number) => gpuInstance ?? index + 1;

function lineOf(name: string, value: Elements[string], depth: number): string[] {
  const indent = "\t".repeat(depth);
  if (typeof value === "string") return [`${indent}<${name}>${escaped(value)}</${name}>`];
  if (Array.isArray(value)) return value.flatMap((each) => lineOf(name, each, depth));
  const children = Object.entries(value).flatMap(([child, each]) => lineOf(child, each, depth + 1));
  return [`${indent}<${name}>`, ...children, `${indent}</${name}>`];
}

const escaped = (value: string) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
