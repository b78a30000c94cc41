// The names of the GPU types of MIG devices, which say what part of which GPU they are, and of all parts of GPUs. Pure.

import { parseShareType, shareTypeId } from "../gpu-share/share-name.ts";

/** The profile names compute slices, where they are fewer than the memory slices, and the memory in GB. */
const FORM = /^(.+) MIG ((?:\d+c\.)?\d+g\.(\d+)gb(?:[+-][\w.+-]+)?)$/;

export interface SliceName {
  /** The GPU type of the whole GPU. */
  whole: string;
  /** Such as "1g.10gb". */
  profile: string;
  memoryInGb: number;
}

/** "NVIDIA A100-SXM4-80GB MIG 1g.10gb" */
export const sliceTypeId = (whole: string, profile: string) => `${whole} MIG ${profile}`;

/** Null for the name of a whole GPU. */
export function parseSliceType(id: string): SliceName | null {
  const [, whole, profile, memory] = FORM.exec(id) ?? [];
  if (whole === undefined || profile === undefined) return null;
  return { whole, profile, memoryInGb: Number(memory) };
}

/** A MIG device or a share. */
export interface PartName {
  /** The GPU type of the whole GPU. */
  whole: string;
  /** What follows the name of the whole: "MIG 1g.10gb" or "shared 1/4 20GB". */
  part: string;
  memoryInGb: number;
  /** How much of the whole GPU's price it costs, which has so much memory. */
  shareOf(wholeMemoryInGb: number): number;
  /** Its id under another spelling of the whole. */
  of(whole: string): string;
}

/** A MIG device costs as much of the price as it has of the memory; shares cost the price together. Null for a whole GPU. */
export function parsePartType(id: string): PartName | null {
  const slice = parseSliceType(id);
  const share = slice ? null : parseShareType(id);
  if (slice) {
    const { whole, profile, memoryInGb } = slice;
    const shareOf = (memory: number) => Math.min(1, memoryInGb / memory);
    const of = (name: string) => sliceTypeId(name, profile);
    return { whole, part: id.slice(whole.length + 1), memoryInGb, shareOf, of };
  }
  if (!share) return null;
  const { whole, count, memoryInGb } = share;
  const of = (name: string) => shareTypeId(name, share);
  return { whole, part: id.slice(whole.length + 1), memoryInGb, shareOf: () => 1 / count, of };
}
