// The MIG profiles of GPUs, as NVIDIA documents them: their ids, their places on the GPU and what each has.

export interface SimulatedProfile {
  name: string;
  id: number;
  /** How many of them fit on an empty GPU. */
  total: number;
  gib: number;
  /** The first memory slices that it can have, in the order in which the driver tries them. */
  starts: readonly number[];
  size: number;
  /** The counts of SM, decoders and encoders, then of copy engines, JPEG and OFA. */
  engines: readonly [number, number, number, number, number, number];
}

type Row = [name: string, id: number, total: number, starts: number[], size: number];

const ONE = [6, 4, 5, 0, 1, 2, 3];
const ENGINES: Record<string, SimulatedProfile["engines"]> = {
  1: [14, 0, 0, 1, 0, 0],
  2: [28, 1, 0, 2, 0, 0],
  3: [42, 2, 0, 3, 0, 0],
  4: [56, 2, 0, 4, 0, 0],
  7: [98, 5, 0, 7, 1, 1],
};

/** `memory` has the GB in the names of a profile with one, two, four and eight memory slices. */
function profilesOf([one, two, four, all]: [number, number, number, number], gibPerGb: number) {
  const rows: Row[] = [
    [`1g.${one}gb`, 19, 7, ONE, 1],
    [`1g.${one}gb+me`, 20, 1, ONE, 1],
    [`1g.${two}gb`, 15, 4, [6, 4, 0, 2], 2],
    [`2g.${two}gb`, 14, 3, [4, 0, 2], 2],
    [`3g.${four}gb`, 9, 2, [4, 0], 4],
    [`4g.${four}gb`, 5, 1, [0], 4],
    [`7g.${all}gb`, 0, 1, [0], 8],
  ];
  return rows.map((row) => profileOf(row, gibPerGb));
}

function profileOf([name, id, total, starts, size]: Row, gibPerGb: number): SimulatedProfile {
  const gib = Math.round(Number(/\.(\d+)gb/.exec(name)![1]) * gibPerGb * 8) / 8;
  return { name, id, total, gib, starts, size, engines: ENGINES[name[0]!]! };
}

const A30: Row[] = [
  ["1g.6gb", 14, 4, [3, 2, 0, 1], 1],
  ["2g.12gb", 5, 2, [2, 0], 2],
  ["4g.24gb", 0, 1, [0], 4],
];

const TABLES: [name: RegExp, profiles: SimulatedProfile[]][] = [
  [/\bA30\b/, A30.map((row) => profileOf(row, 0.98))],
  [/\bA100\b.*\b40GB/, profilesOf([5, 10, 20, 40], 0.98)],
  [/\b(?:A100|H100)\b.*\b80GB/, profilesOf([10, 20, 40, 80], 0.98)],
  [/\bH200\b/, profilesOf([18, 35, 71, 141], 0.93)],
];

/** Empty for a GPU that has no MIG mode. */
export const simulatedProfiles = (gpuName: string): readonly SimulatedProfile[] =>
  TABLES.find(([name]) => name.test(gpuName))?.[1] ?? [];
