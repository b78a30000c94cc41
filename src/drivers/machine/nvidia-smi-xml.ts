// The document of `nvidia-smi -q -x`. Its elements differ between drivers and between GPUs of one driver, so each
// value may be missing; the text "N/A" only means not supported.

import { XMLParser, XMLValidator } from "fast-xml-parser";
import type { GpuReadings } from "../../domain/gpu/judge-readings.ts";
import { type PciAddress, pciAddress } from "../../domain/gpu/kernel-line.ts";
import type { MigElement } from "../../domain/gpu/mig-devices.ts";

export interface GpuElement {
  /** Null if the driver does not say it, which is a failure of the GPU. */
  uuid: string | null;
  /** Null if the document does not say it. */
  pci: PciAddress | null;
  name: string;
  /** 0 for a GPU that shares the machine's memory. */
  memoryMb: number;
  /** The driver's word in place of a value, such as "GPU is lost"; null if the GPU answers. */
  failure: string | null;
  readings: GpuReadings;
  migDevices: MigElement[];
}

export interface GpuDocument {
  gpuDriver: string | null;
  cudaVersion: string | null;
  gpus: GpuElement[];
  /** The lines around the document: the program prints its errors on standard output. */
  lines: string[];
}

/** The name of a program on the GPU, which can hold any text, also several lines, and is not escaped by every driver. */
const PROCESS_NAME = /<process_name>[\s\S]*?<\/process_name>(?=\s*<)/g;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  isArray: (name) => name === "gpu" || name === "mig_device",
});

export function parseGpuDocument(output: string): GpuDocument {
  const start = output.search(/<\?xml|<nvidia_smi_log/);
  if (start < 0) return { ...NO_DOCUMENT, lines: linesOf(output) };
  const end = endOf(output);
  const text = output.slice(start, end).replace(PROCESS_NAME, "");
  const lines = linesOf(`${output.slice(0, start)}\n${output.slice(end)}`);
  const parsed = XMLValidator.validate(text) === true ? parsedDocument(text) : null;
  if (parsed === null) {
    return { ...NO_DOCUMENT, lines: [...lines, "its XML document is incomplete"] };
  }
  const root = Object.entries(parsed).find(([name]) => /^\w/.test(name))?.[1];
  const gpus = childOf(root, "gpu");
  return {
    gpuDriver: textAt(root, "driver_version") ?? textAt(root, "kmd_version"),
    cudaVersion: textAt(root, "cuda_version") ?? textAt(root, "cuda_umd_version"),
    gpus: Array.isArray(gpus) ? gpus.map(gpuElement) : [],
    lines,
  };
}

/** Whatever follows the document is a line of the program, such as a warning; a half document has no end. */
function endOf(output: string): number {
  const at = output.lastIndexOf(LAST_TAG);
  return at < 0 ? output.length : at + LAST_TAG.length;
}

const LAST_TAG = "</nvidia_smi_log>";

const NO_DOCUMENT: GpuDocument = { gpuDriver: null, cudaVersion: null, gpus: [], lines: [] };

/** Null for a text that the parser refuses, such as one whose elements are nested without end. */
function parsedDocument(text: string): Record<string, unknown> | null {
  try {
    return parser.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

function gpuElement(gpu: unknown): GpuElement {
  const [name, uuid] = [textAt(gpu, "product_name"), textAt(gpu, "uuid")];
  const memory = textAt(gpu, ...MEMORY);
  const isSaid = MEMORY.reduce(childOf, gpu) !== undefined;
  return {
    uuid: uuid?.startsWith("GPU-") ? uuid : null,
    pci: pciAddress(textAt(gpu, "@id") ?? ""),
    name: name ?? "",
    memoryMb: Number.parseInt(memory ?? "", 10) || 0,
    failure: failureOf(name, uuid) ?? (isSaid ? memoryFailure(memory) : NO_MEMORY),
    readings: readingsOf(gpu),
    migDevices: migDevicesOf(gpu),
  };
}

/** The element says "None" in place of devices. */
function migDevicesOf(gpu: unknown): MigElement[] {
  const devices = childOf(childOf(gpu, "mig_devices"), "mig_device");
  return (Array.isArray(devices) ? devices : []).map((device, position) => {
    return {
      device: countAt(device, "index") ?? position,
      gpuInstance: countAt(device, "gpu_instance_id"),
      computeInstance: countAt(device, "compute_instance_id"),
      memoryMb: countAt(device, "fb_memory_usage", "total"),
    };
  });
}

const MEMORY = ["fb_memory_usage", "total"];
/** A GPU that has no memory of its own says "N/A". */
const NO_MEMORY = "it does not say its memory";

function memoryFailure(memory: string | null): string | null {
  if (memory === null || /^0*[1-9]\d{0,8} ?MiB$/.test(memory)) return null;
  if (/^0+ ?MiB$/.test(memory)) return "it says that it has no memory";
  return /^[A-Za-z[]/.test(memory) ? memory : `its memory is "${memory}", and no number of MiB`;
}

function failureOf(name: string | null, uuid: string | null): string | null {
  if (name === null || FAILURE.test(name)) return name ?? "it has no name";
  if (uuid === null) return "it has no UUID";
  if (FAILURE.test(uuid)) return uuid;
  return uuid.startsWith("GPU-") ? null : `its UUID is "${uuid}", and no GPU's`;
}

/** The texts of NVML's errors, which stand in place of a value. */
const FAILURE =
  /^\[?(?:GPU is lost|GPU requires reset|Unknown Error|Insufficient Permissions|Not Found|Driver Not Loaded|Timeout|Corrupted infoROM|GPU access blocked by the operating system|Driver\/library version mismatch|System is not in ready state|ERR!)\]?$/i;

function readingsOf(gpu: unknown): GpuReadings {
  const repairs = ["channel_repair_pending", "tpc_repair_pending"].map((name) =>
    flagAt(gpu, "ecc_errors", name),
  );
  const action = textAt(gpu, "gpu_recovery_action");
  return {
    recoveryAction: action !== null && FAILURE.test(action) ? null : action,
    resetRequired: flagAt(gpu, "gpu_reset_status", "reset_required"),
    rowRemapFailure: flagAt(gpu, "remapped_rows", "remapped_row_failure"),
    sramThresholdExceeded: flagAt(gpu, "ecc_errors", "aggregate", "sram_threshold_exceeded"),
    unrepairableMemory: flagAt(gpu, "ecc_errors", "unrepairable_memory"),
    repairPending: repairs.find((flag) => flag !== null && flag) ?? repairs[0] ?? null,
    migMode: flagAt(gpu, "mig_mode", "current_mig"),
    ...memoryReadings(gpu),
    ...linkReadings(gpu),
    ...clockReadings(gpu),
    fabricTrouble: fabricTroubleOf(gpu),
    nvlinkTrouble: null,
    nvlinkErrors: null,
  };
}

function memoryReadings(gpu: unknown) {
  const pages = (kind: string) => countAt(gpu, "retired_pages", kind, "retired_count");
  const doubleBitPages = pages("double_bit_retirement");
  const singleBitPages = pages("multiple_single_bit_retirement");
  const pending = ["pending_retirement", "pending_blacklist"].map((name) =>
    flagAt(gpu, "retired_pages", name),
  );
  return {
    rowRemapPending: flagAt(gpu, "remapped_rows", "remapped_row_pending"),
    remappedRows: countAt(gpu, "remapped_rows", "remapped_row_unc"),
    pageRetirementPending: pending.find((flag) => flag) ?? pending[0] ?? null,
    doubleBitPages,
    retiredPages: sum([doubleBitPages, singleBitPages]),
    eccErrors: eccErrors(gpu, "volatile"),
    lifetimeEccErrors: eccErrors(gpu, "aggregate"),
  };
}

/** Older GPUs count their SRAM errors together. */
const eccErrors = (gpu: unknown, period: string) =>
  sum(
    [
      "dram_uncorrectable",
      "sram_uncorrectable",
      "sram_uncorrectable_parity",
      "sram_uncorrectable_secded",
    ].map((name) => countAt(gpu, "ecc_errors", period, name)),
  );

function linkReadings(gpu: unknown) {
  const [link, state] = [["pci", "pci_gpu_link_info"], textAt(gpu, "performance_state")];
  return {
    pcieWidth: countAt(gpu, ...link, "link_widths", "current_link_width"),
    maxPcieWidth: countAt(gpu, ...link, "link_widths", "max_link_width"),
    pcieGeneration: countAt(gpu, ...link, "pcie_gen", "current_link_gen"),
    maxPcieGeneration: countAt(gpu, ...link, "pcie_gen", "max_link_gen"),
    isAtFullPerformance: state === null ? null : state === "P0",
  };
}

/** The reasons were called throttle reasons up to driver 530. */
function clockReadings(gpu: unknown) {
  const reason = (name: string) =>
    flagAt(gpu, "clocks_event_reasons", `clocks_event_reason_${name}`) ??
    flagAt(gpu, "clocks_throttle_reasons", `clocks_throttle_reason_${name}`);
  return {
    thermalSlowdown: reason("hw_thermal_slowdown"),
    powerSlowdown: reason("hw_power_brake_slowdown"),
    hardwareSlowdown: reason("hw_slowdown"),
    isHot: isHot(gpu),
    persistenceMode: flagAt(gpu, "persistence_mode"),
  };
}

/** GPUs of data centers since Hopper report the margin that is left; others their temperature. */
function isHot(gpu: unknown): boolean | null {
  const [margin, leastMargin] = ["gpu_temp_tlimit", "gpu_temp_slow_tlimit_threshold"].map((name) =>
    countAt(gpu, "temperature", name),
  );
  if (margin != null && leastMargin != null) return margin <= leastMargin;
  const [degrees, limit] = ["gpu_temp", "gpu_temp_slow_threshold"].map((name) =>
    countAt(gpu, "temperature", name),
  );
  return degrees != null && limit != null ? degrees >= limit : null;
}

/** The parts of the fabric that NVSwitches make, and the word for each that is in order. An error of NVML is no word of theirs. */
function fabricTroubleOf(gpu: unknown): string | null {
  const parts = [
    ["its state is", textAt(gpu, "fabric", "state"), "Completed"],
    ["its status is", textAt(gpu, "fabric", "status"), "Success"],
    ["its health is", textAt(gpu, "fabric", "health", "summary"), "Healthy"],
  ] as const;
  const bad = parts.filter(
    ([, word, good]) => word !== null && word !== good && !FAILURE.test(word),
  );
  return bad.length === 0 ? null : bad.map(([what, word]) => `${what} "${word}"`).join(", ");
}

/** Null if no part of it is there. */
function sum(parts: readonly (number | null)[]): number | null {
  const present = parts.filter((part) => part !== null);
  return present.length === 0 ? null : present.reduce((a, b) => a + b, 0);
}

/** The number with which the text begins, such as that of "16x" and of "-2 C". */
function countAt(node: unknown, ...path: string[]): number | null {
  const [number] = /^-?\d+/.exec(textAt(node, ...path) ?? "") ?? [];
  return number === undefined ? null : Number(number);
}

/** Null for any other text, such as "Requested functionality has been deprecated". */
function flagAt(node: unknown, ...path: string[]): boolean | null {
  const text = textAt(node, ...path);
  if (text === "Yes" || text === "Enabled" || text === "Active") return true;
  return text === "No" || text === "Disabled" || text === "Not Active" ? false : null;
}

function textAt(node: unknown, ...path: string[]): string | null {
  const value = path.reduce(childOf, node);
  if (typeof value !== "string") return null;
  const text = value.trim();
  const isMissing =
    /^(?:|\[?(?:N\/A|Not Supported|Requested functionality has been deprecated)\]?)$/i;
  return isMissing.test(text) ? null : text;
}

const childOf = (node: unknown, name: string): unknown =>
  typeof node === "object" && node !== null ? (node as Record<string, unknown>)[name] : undefined;
