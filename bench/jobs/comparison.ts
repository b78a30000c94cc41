// The parties in turn (A B C A B C), so that whatever else the machine does falls on all of them;
// each figure is then the median of its rounds, and each ratio that of one round's neighbours.
import path from "node:path";
import type { LoadPlan, LoadResult } from "./load.ts";
import type { Party, StartedParty } from "./parties.ts";
import { spawnTracked } from "./party-process.ts";

export interface Shape {
  form: LoadPlan["form"];
  clients: number;
}

export interface Pace {
  rounds: number;
  warmUpMs: number;
  measureMs: number;
}

export interface Figures {
  party: string;
  shape: Shape;
  cyclesPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** All the party's processes together. */
  cpuMicrosPerCycle: number;
  /** Of which, where there is a second process, its share: that of Redis or PostgreSQL. */
  cpuMicrosByProcess: Record<string, number>;
  loadMicrosPerCycle: number;
  /** Cycles per second and CPU beside the floor of the same round; medians. */
  ofFloor: number;
  cpuOfFloor: number;
}

export const shapes: Shape[] = [
  { form: "cycle", clients: 16 },
  { form: "cycle", clients: 128 },
  { form: "runsync", clients: 16 },
  { form: "runsync", clients: 128 },
];

/** The first party is the floor that the others are held against. */
export async function compare(
  parties: Party[],
  pace: Pace,
  progress: (line: string) => void,
): Promise<Figures[]> {
  const results = new Map<string, LoadResult[]>();
  for (let round = 1; round <= pace.rounds; round++) {
    for (const party of parties) {
      const started = await party.start();
      await load(started, shapes[0]!, { warmUpMs: 0, measureMs: pace.warmUpMs * 2 });
      for (const shape of shapes) {
        const result = await load(started, shape, pace);
        const name = cell(party.name, shape);
        results.set(name, [...(results.get(name) ?? []), result]);
        const rate = Math.round(result.cyclesPerSecond);
        progress(`round ${round}/${pace.rounds}  ${name}: ${rate} cycles/s`);
      }
      await started.stop();
    }
  }
  const [floor] = parties;
  return shapes.flatMap((shape) =>
    parties.map((party) =>
      figures(party.name, shape, results.get(cell(party.name, shape))!, [
        ...results.get(cell(floor!.name, shape))!,
      ]),
    ),
  );
}

/** Runs the load process against a party once. */
export async function load(
  party: StartedParty,
  shape: Shape,
  pace: Omit<Pace, "rounds">,
): Promise<LoadResult> {
  const { port, key, endpointId, workers, processes } = party;
  const { warmUpMs, measureMs } = pace;
  const target = { port, key, endpointId, workers, processes };
  const plan: LoadPlan = { ...target, warmUpMs, measureMs, ...shape };
  const script = path.join(import.meta.dirname, "load.ts");
  const child = spawnTracked(process.execPath, [script, JSON.stringify(plan)]);
  let output = "";
  child.stdout!.on("data", (data) => {
    output += data;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`the load ended with ${code}; its own message stands above`);
  return JSON.parse(output);
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle]!;
  return (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function cell(party: string, { form, clients }: Shape): string {
  return `${party}, ${form} at ${clients}`;
}

/** All its processes together, per cycle. */
export function partyMicros({ cpuMicrosPerCycle }: LoadResult): number {
  const entries = Object.entries(cpuMicrosPerCycle).filter(([name]) => name !== "load");
  return entries.reduce((sum, [, micros]) => sum + micros, 0);
}

function figures(party: string, shape: Shape, own: LoadResult[], floor: LoadResult[]): Figures {
  const middle = (of: (result: LoadResult, round: number) => number) => median(own.map(of));
  const names = Object.keys(own[0]!.cpuMicrosPerCycle).filter((name) => name !== "load");
  return {
    party,
    shape,
    cyclesPerSecond: middle((result) => result.cyclesPerSecond),
    p50Ms: middle((result) => result.p50Ms),
    p99Ms: middle((result) => result.p99Ms),
    cpuMicrosPerCycle: middle(partyMicros),
    cpuMicrosByProcess: Object.fromEntries(
      names.map((name) => [name, middle((result) => result.cpuMicrosPerCycle[name]!)]),
    ),
    loadMicrosPerCycle: middle((result) => result.cpuMicrosPerCycle.load!),
    ofFloor: middle((result, round) => result.cyclesPerSecond / floor[round]!.cyclesPerSecond),
    cpuOfFloor: middle((result, round) => partyMicros(result) / partyMicros(floor[round]!)),
  };
}
