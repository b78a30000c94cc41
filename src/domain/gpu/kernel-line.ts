// Lines of the kernel log, as a read of /dev/kmsg returns them, and what NVIDIA's driver says in them. Pure.

import type { AmdErrorCode } from "./amd-error.ts";

export interface KernelRecord {
  /** Rises by 1 with every record since the machine started. */
  seq: number;
  sinceBootMs: number;
  text: string;
}

/** Null for the attributes that follow a record, and for a line that was cut. */
export function parseKernelRecord(line: string): KernelRecord | null {
  const [, seq, micros, text] = /^\d+,(\d+),(\d+),[^;]*;(.*)$/s.exec(line) ?? [];
  if (seq === undefined || micros === undefined || text === undefined) return null;
  return { seq: Number(seq), sinceBootMs: Math.floor(Number(micros) / 1_000), text: plain(text) };
}

/** The kernel escapes control characters, line ends among them. The others stay escaped: a program's name may hold any. */
const plain = (text: string) => text.replaceAll("\\x0a", "\n");

/** An address on the PCI bus: domain, bus and device, such as "0000:3b:00". */
export type PciAddress = string;

/** The parts of a GPU in MIG mode that a line is about; absent if it is about the whole GPU. */
export interface MigInstances {
  gpuInstance?: number;
  computeInstance?: number;
}

export type DriverLine =
  | ({ kind: "xid"; pci: PciAddress; code: number; detail: string } & MigInstances)
  /** A GPU's UUID, which the driver logs before the GPU's first Xid. */
  | { kind: "uuid"; pci: PciAddress; uuid: string }
  /** The driver found the GPU off the bus, without an Xid. */
  | { kind: "fallen"; pci: PciAddress }
  | { kind: "amd"; pci: PciAddress; code: AmdErrorCode; detail: string };

/** A line of the GPU driver, with its place in the kernel log. */
export interface LoggedDriverLine {
  seq: number;
  at: number;
  line: DriverLine;
}

/** What NVIDIA's driver says; null for every other line. */
export function parseDriverLine(text: string): DriverLine | null {
  const [, place, code, detail = ""] =
    /NVRM: Xid \(PCI:([^)]*)\): (\d+)(?:, ([\s\S]*))?/.exec(text) ?? [];
  const pci = place === undefined ? null : pciAddress(place);
  if (pci !== null) {
    return {
      kind: "xid",
      pci,
      code: Number(code),
      detail: detail.replace(/\s+/g, " ").trim().slice(0, 300),
      ...instancesIn(place!),
    };
  }
  const [, at = "", uuid] = /NVRM: GPU at PCI:(\S+): (GPU-[\w-]+)/.exec(text) ?? [];
  const known = pciAddress(at);
  if (uuid !== undefined && known !== null) return { kind: "uuid", pci: known, uuid };
  const [, off = ""] =
    /NVRM: The NVIDIA GPU (\S+)[\s\S]*fallen off the bus and is not responding/.exec(text) ?? [];
  const fallen = pciAddress(off);
  return fallen === null ? null : { kind: "fallen", pci: fallen };
}

function instancesIn(place: string): MigInstances {
  const numberOf = (name: string) => new RegExp(`\\b${name}:(\\d+)`).exec(place)?.[1];
  const [gpu, compute] = ["GPU-I", "GPU-CI"].map(numberOf);
  return {
    ...(gpu !== undefined && { gpuInstance: Number(gpu) }),
    ...(compute !== undefined && { computeInstance: Number(compute) }),
  };
}

/** Tools print more digits than the kernel, capitals, a function and, with MIG, the parts of the GPU behind it. */
export function pciAddress(text: string): PciAddress | null {
  const [, domain, bus, device] = /^([0-9a-f]+):([0-9a-f]+):([0-9a-f]+)/i.exec(text) ?? [];
  if (domain === undefined || bus === undefined || device === undefined) return null;
  const hex = (digits: string, length: number) =>
    Number.parseInt(digits, 16).toString(16).padStart(length, "0");
  return `${hex(domain, 4)}:${hex(bus, 2)}:${hex(device, 2)}`;
}
