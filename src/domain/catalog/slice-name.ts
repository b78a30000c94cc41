// The names of the GPU types of MIG devices, which say what part of which GPU they are. Pure.

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
