// The comparison of peers. All run at once and take the load in turns (A B C A B C), so that other work of the machine
// affects all of them. A figure is the median of all turns; a ratio to the floor compares peers within one turn.
import path from "node:path";
import { spawnTracked } from "./host/peer-process.ts";
import type { LoadOutcome, LoadPlan, LoadResult } from "./load.ts";
import type { Peer, StartedPeer } from "./peers.ts";

export interface Shape {
  form: LoadPlan["form"];
  clients: number;
}

export interface Pace {
  /** Each begins with new servers. */
  rounds: number;
  warmUpMs: number;
  measureMs: number;
}

export interface Figures {
  peer: string;
  durability: Peer["durability"];
  shape: Shape;
  cyclesPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** All processes of the peer. */
  cpuMicrosPerCycle: number;
  /** The share of each process: the server, and Redis or PostgreSQL. */
  cpuMicrosByProcess: Record<string, number>;
  loadMicrosPerCycle: number;
  writtenKbPerCycle: number;
  /** Ratios to the floor of the same round, as medians. */
  ofFloor: number;
  cpuOfFloor: number;
}

export const shapes: Shape[] = [
  ...[1, 4, 16, 64, 128].map((clients) => ({ form: "cycle", clients }) as const),
  ...[16, 128].map((clients) => ({ form: "runsync", clients }) as const),
];

/** How often each peer has its turn at a shape, in each round. */
const TURNS = 2;

const WARM_UP: Shape = { form: "cycle", clients: 16 };
const WARM_UP_WINDOW_MS = 1_000;
const WARM_UP_WINDOWS = { min: 3, max: 8 };
/** A server is warm once a window takes more than this share of the lowest CPU per cycle so far. */
const LEVEL = 0.97;

/** A peer that answered wrongly or not at all. It takes no turns after that. */
export interface PeerFailure {
  peer: string;
  /** The shape and the round, such as "runsync at 16, round 2". */
  at: string;
  message: string;
}

export interface Compared {
  figures: Figures[];
  failures: PeerFailure[];
}

/** The first peer is the floor that the others are compared with. A failure of the floor or of Freehold ends the run. */
export async function compare(
  peers: Peer[],
  pace: Pace,
  progress: (line: string) => void,
): Promise<Compared> {
  const results = new Map<string, LoadResult[]>();
  const failures: PeerFailure[] = [];
  const turnPace = { ...pace, measureMs: pace.measureMs / TURNS };
  for (let round = 1; round <= pace.rounds; round++) {
    const started = await startAll(peers);
    for (const shape of shapes) {
      const at = `${shape.form} at ${shape.clients}, round ${round}`;
      progress(`${at} of ${pace.rounds}`);
      for (let turn = 0; turn < TURNS; turn++) {
        for (const [n, { name }] of peers.entries()) {
          if (failures.some(({ peer }) => peer === name)) continue;
          const outcome = await attempt(started[n]!, shape, turnPace);
          if ("failure" in outcome) {
            if (n === 0 || name === "Freehold") throw new Error(`${name}: ${outcome.failure}`);
            failures.push({ peer: name, at, message: outcome.failure });
          } else {
            const key = cell(name, shape);
            results.set(key, [...(results.get(key) ?? []), outcome]);
          }
        }
      }
    }
    for (const each of started) await each.stop();
  }
  return { figures: allFigures(peers, results), failures };
}

function allFigures([floor, ...others]: Peer[], results: Map<string, LoadResult[]>): Figures[] {
  return shapes.flatMap((shape) =>
    [floor!, ...others].flatMap((peer) => {
      const own = results.get(cell(peer.name, shape));
      return own ? [figures(peer, shape, own, results.get(cell(floor!.name, shape))!)] : [];
    }),
  );
}

async function startAll(peers: Peer[]): Promise<StartedPeer[]> {
  const started: StartedPeer[] = [];
  for (const peer of peers) {
    const each = await peer.start();
    await warmUp(each);
    started.push(each);
  }
  return started;
}

/** Loads a new server until its CPU per cycle no longer falls: V8 has then compiled what the load needs. */
export async function warmUp(peer: StartedPeer): Promise<void> {
  const window = { warmUpMs: 0, measureMs: WARM_UP_WINDOW_MS };
  let lowest = Number.POSITIVE_INFINITY;
  for (let n = 1; n <= WARM_UP_WINDOWS.max; n++) {
    const micros = peerMicros(await load(peer, WARM_UP, window));
    if (n >= WARM_UP_WINDOWS.min && micros > LEVEL * lowest) return;
    lowest = Math.min(lowest, micros);
  }
}

type TurnPace = Omit<Pace, "rounds"> & Pick<LoadPlan, "policy">;

/** Runs the load process against a peer once, and returns its result; a wrong answer throws. */
export async function load(peer: StartedPeer, shape: Shape, pace: TurnPace): Promise<LoadResult> {
  const outcome = await attempt(peer, shape, pace);
  if ("failure" in outcome) throw new Error(outcome.failure);
  return outcome;
}

async function attempt(peer: StartedPeer, shape: Shape, pace: TurnPace): Promise<LoadOutcome> {
  const { port, key, endpointId, workers, processes } = peer;
  const { warmUpMs, measureMs, policy = "none" } = pace;
  const target = { port, key, endpointId, workers, processes };
  const plan: LoadPlan = { ...target, warmUpMs, measureMs, policy, ...shape };
  const script = path.join(import.meta.dirname, "load.ts");
  const child = spawnTracked(process.execPath, [script, JSON.stringify(plan)]);
  let output = "";
  child.stdout!.on("data", (data) => {
    output += data;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  return output === "" ? { failure: `the load generator exited with ${code}` } : JSON.parse(output);
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

function figures(peer: Peer, shape: Shape, own: LoadResult[], floor: LoadResult[]): Figures {
  const middle = (of: (result: LoadResult, turn: number) => number) => median(own.map(of));
  const names = Object.keys(own[0]!.cpuMicrosPerCycle).filter((name) => name !== "load");
  return {
    peer: peer.name,
    durability: peer.durability,
    shape,
    cyclesPerSecond: middle((result) => result.cyclesPerSecond),
    p50Ms: middle((result) => result.p50Ms),
    p99Ms: middle((result) => result.p99Ms),
    cpuMicrosPerCycle: middle(peerMicros),
    cpuMicrosByProcess: Object.fromEntries(
      names.map((name) => [name, middle((result) => result.cpuMicrosPerCycle[name]!)]),
    ),
    loadMicrosPerCycle: middle((result) => result.cpuMicrosPerCycle.load!),
    writtenKbPerCycle: middle((result) => result.writtenKbPerCycle),
    ofFloor: middle((result, turn) => result.cyclesPerSecond / floor[turn]!.cyclesPerSecond),
    cpuOfFloor: middle((result, turn) => peerMicros(result) / peerMicros(floor[turn]!)),
  };
}
