// The duel, --duel OPPONENT: Freehold and one other system take the load in short turns until the ratio of their rates is known
// to 5 %, so that the effect of a change shows in minutes. The opponent is a system of the comparison or another commit.

import { load, peerMicros, type Shape, warmUp } from "../comparison.ts";
import type { Peer, StartedPeer } from "../peers.ts";
import { medianInterval } from "../report/median-interval.ts";
import { markdownTable } from "../report/table.ts";
import { type StoreName, stores } from "../stores.ts";
import { checkOut, removeAtExit, root, startIn } from "./beside.ts";

const PACE = { warmUpMs: 100, measureMs: 400 };
const PAIRS = { min: 10, max: 100 };
/** The width of the interval of the ratio at which a shape's turns end. */
const PRECISION = 0.05;

/** Freehold divided by its opponent, a ratio for each pair of turns. */
interface Ratios {
  rate: number[];
  cpu: number[];
}

/** The systems that a duel can name, besides a commit. */
export function opponents(store: StoreName): Peer[] {
  return stores[store].peers().filter(({ name }) => name !== "Freehold");
}

/** Returns a table with a row for each shape. */
export async function measureDuel(
  opponent: string,
  shapes: Shape[],
  store: StoreName,
  progress: (line: string) => void,
): Promise<string> {
  const freehold = await startIn(root, store);
  const other = await startOpponent(opponent, store, progress);
  await warmUp(freehold);
  await warmUp(other);
  const rows: string[][] = [];
  for (const shape of shapes) {
    const name = `${shape.form} at ${shape.clients}`;
    progress(name);
    const { rate, cpu } = await duel(freehold, other, shape);
    rows.push([name, String(rate.length), intervalText(rate), intervalText(cpu)]);
  }
  await Promise.all([freehold.stop(), other.stop()]);
  return markdownTable(["shape", "pairs", `jobs/s of ${opponent}`, "CPU per job of it"], rows);
}

async function startOpponent(
  opponent: string,
  store: StoreName,
  progress: (line: string) => void,
): Promise<StartedPeer> {
  const peer = opponents(store).find(({ name }) => name === opponent);
  if (peer) return peer.start();
  progress(`no system is named ${opponent}, so it is taken for a commit`);
  const folder = checkOut(opponent);
  const started = await startIn(folder, store);
  removeAtExit(folder);
  return started;
}

async function duel(freehold: StartedPeer, other: StartedPeer, shape: Shape): Promise<Ratios> {
  const ratios: Ratios = { rate: [], cpu: [] };
  while (!isKnown(ratios.rate)) {
    const first = ratios.rate.length % 2 === 0 ? freehold : other;
    const results = new Map([[first, await load(first, shape, PACE)]]);
    const second = first === freehold ? other : freehold;
    results.set(second, await load(second, shape, PACE));
    const [own, its] = [results.get(freehold)!, results.get(other)!];
    ratios.rate.push(own.cyclesPerSecond / its.cyclesPerSecond);
    ratios.cpu.push(peerMicros(own) / peerMicros(its));
  }
  return ratios;
}

function isKnown(ratios: number[]): boolean {
  if (ratios.length < PAIRS.min) return false;
  if (ratios.length === PAIRS.max) return true;
  const { median, low, high } = medianInterval(ratios);
  return high - low < PRECISION * median;
}

function intervalText(ratios: number[]): string {
  const { median, low, high } = medianInterval(ratios);
  return `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}
