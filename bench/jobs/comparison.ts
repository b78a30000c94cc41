// The comparison of peers. They are measured in alternation (A B C A B C), so that other work of the machine affects
// all of them. A figure is the median of its rounds; a ratio compares peers within one round.
import path from "node:path";
import { spawnTracked } from "./host/peer-process.ts";
import type { LoadPlan, LoadResult } from "./load.ts";
import type { Peer, StartedPeer } from "./peers.ts";

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
  peer: string;
  shape: Shape;
  cyclesPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** All processes of the peer. */
  cpuMicrosPerCycle: number;
  /** The share of each process: the server, and Redis or PostgreSQL. */
  cpuMicrosByProcess: Record<string, number>;
  loadMicrosPerCycle: number;
  /** Ratios to the floor of the same round, as medians. */
  ofFloor: number;
  cpuOfFloor: number;
}

export const shapes: Shape[] = [
  { form: "cycle", clients: 16 },
  { form: "cycle", clients: 128 },
  { form: "runsync", clients: 16 },
  { form: "runsync", clients: 128 },
];

/** The first peer is the floor that the others are compared with. */
export async function compare(
  peers: Peer[],
  pace: Pace,
  progress: (line: string) => void,
): Promise<Figures[]> {
  const results = new Map<string, LoadResult[]>();
  for (let round = 1; round <= pace.rounds; round++) {
    for (const peer of peers) {
      const started = await peer.start();
      await load(started, shapes[0]!, { warmUpMs: 0, measureMs: pace.warmUpMs * 2 });
      for (const shape of shapes) {
        const result = await load(started, shape, pace);
        const name = cell(peer.name, shape);
        results.set(name, [...(results.get(name) ?? []), result]);
        const rate = Math.round(result.cyclesPerSecond);
        progress(`round ${round}/${pace.rounds}  ${name}: ${rate} cycles/s`);
      }
      await started.stop();
    }
  }
  const [floor] = peers;
  return shapes.flatMap((shape) =>
    peers.map((peer) =>
      figures(peer.name, shape, results.get(cell(peer.name, shape))!, [
        ...results.get(cell(floor!.name, shape))!,
      ]),
    ),
  );
}

/** Runs the load process against a peer once, and returns its result. */
export async function load(
  peer: StartedPeer,
  shape: Shape,
  pace: Omit<Pace, "rounds">,
): Promise<LoadResult> {
  const { port, key, endpointId, workers, processes } = peer;
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
  if (code !== 0) throw new Error(`the load generator exited with ${code}; see its message above`);
  return JSON.parse(output);
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle]!;
  return (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function cell(peer: string, { form, clients }: Shape): string {
  return `${peer}, ${form} at ${clients}`;
}

/** The CPU per cycle of all processes of the peer. */
export function peerMicros({ cpuMicrosPerCycle }: LoadResult): number {
  const entries = Object.entries(cpuMicrosPerCycle).filter(([name]) => name !== "load");
  return entries.reduce((sum, [, micros]) => sum + micros, 0);
}

function figures(peer: string, shape: Shape, own: LoadResult[], floor: LoadResult[]): Figures {
  const middle = (of: (result: LoadResult, round: number) => number) => median(own.map(of));
  const names = Object.keys(own[0]!.cpuMicrosPerCycle).filter((name) => name !== "load");
  return {
    peer,
    shape,
    cyclesPerSecond: middle((result) => result.cyclesPerSecond),
    p50Ms: middle((result) => result.p50Ms),
    p99Ms: middle((result) => result.p99Ms),
    cpuMicrosPerCycle: middle(peerMicros),
    cpuMicrosByProcess: Object.fromEntries(
      names.map((name) => [name, middle((result) => result.cpuMicrosPerCycle[name]!)]),
    ),
    loadMicrosPerCycle: middle((result) => result.cpuMicrosPerCycle.load!),
    ofFloor: middle((result, round) => result.cyclesPerSecond / floor[round]!.cyclesPerSecond),
    cpuOfFloor: middle((result, round) => peerMicros(result) / peerMicros(floor[round]!)),
  };
}
