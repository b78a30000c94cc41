// The MIG profiles that NVIDIA documents for its GPUs, for those that are not in MIG mode: their driver lists none then. Pure.

import { MB_PER_GB } from "../../../base/units.ts";

export interface ProfileCount {
  name: string;
  /** How many of them fit on an empty GPU, without others. */
  count: number;
}

/** What is in the name of a GPU, the least and the most GiB of its memory, and its profiles. */
type Row = [name: RegExp, minGib: number, maxGib: number, profiles: string];

const ROWS: Row[] = [
  [/\bA30\b/, 20, 26, "4x1g.6gb 2x2g.12gb 4g.24gb"],
  [/\bA[18]00\b/, 36, 44, "7x1g.5gb 4x1g.10gb 3x2g.10gb 2x3g.20gb 4g.20gb 7g.40gb"],
  [/\b[AH][18]00\b/, 70, 84, "7x1g.10gb 4x1g.20gb 3x2g.20gb 2x3g.40gb 4g.40gb 7g.80gb"],
  [/\bH[18]00\b.*\bNVL\b/, 88, 96, "7x1g.12gb 4x1g.24gb 3x2g.24gb 2x3g.47gb 4g.47gb 7g.94gb"],
  [/\b(?:H100|GH200|H20)\b/, 88, 98, "7x1g.12gb 4x1g.24gb 3x2g.24gb 2x3g.48gb 4g.48gb 7g.96gb"],
  [/\bH200\b/, 130, 144, "7x1g.18gb 4x1g.35gb 3x2g.35gb 2x3g.71gb 4g.71gb 7g.141gb"],
  [/\bB200\b/, 170, 190, "7x1g.23gb 4x1g.45gb 3x2g.45gb 2x3g.90gb 4g.90gb 7g.180gb"],
  [/\bB300\b/, 250, 290, "7x1g.34gb 4x1g.67gb 3x2g.67gb 2x3g.135gb 4g.135gb 7g.269gb"],
  [/\bRTX PRO 6000 Blackwell\b/, 90, 98, "4x1g.24gb 2x2g.48gb 4g.96gb"],
];

/** Empty for a GPU of which NVIDIA documents none. */
export function documentedProfiles(name: string, memoryMb: number): ProfileCount[] {
  const gib = memoryMb / MB_PER_GB;
  const row = ROWS.find(([form, min, max]) => form.test(name) && gib >= min && gib <= max);
  return (row?.[3] ?? "").split(" ").flatMap((text) => {
    const [, count = "1", profile] = /^(?:(\d+)x)?(\S+)$/.exec(text) ?? [];
    return profile === undefined ? [] : [{ name: profile, count: Number(count) }];
  });
}
