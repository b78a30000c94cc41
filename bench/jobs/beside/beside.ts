// The comparison with another commit, --beside COMMIT: both services run at once and take the load in turns, so that a
// regression of CPU per job is seen even on a busy machine.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { load, median, peerMicros, type Shape, shapes, warmUp } from "../comparison.ts";
import { newFolder } from "../host/home.ts";
import type { LoadResult } from "../load.ts";
import type { StartedPeer } from "../peers.ts";
import { markdownTable } from "../report/table.ts";
import type { StoreName } from "../stores.ts";

const PACE = { warmUpMs: 200, measureMs: 1_000 };
/** Pairs of windows for each shape and pair of services, in alternating order. */
const PAIRS = 4;

export const root = path.join(import.meta.dirname, "..", "..", "..");

interface Pair {
  here: LoadResult;
  there: LoadResult;
}

/** Returns a table with a row for each shape. */
export async function measureBeside(
  commit: string,
  store: StoreName,
  rounds: number,
  progress: (line: string) => void,
): Promise<string> {
  const other = checkOut(commit);
  const pairs = new Map<Shape, Pair[]>(shapes.map((shape) => [shape, []]));
  for (let round = 1; round <= rounds; round++) {
    const [here, there] = [await startIn(root, store), await startIn(other, store)];
    await warmUp(there);
    await warmUp(here);
    for (const shape of shapes) {
      progress(`round ${round}/${rounds}  ${shape.form} at ${shape.clients}`);
      for (let n = 0; n < PAIRS; n++)
        pairs.get(shape)!.push(await onePair(here, there, shape, n % 2 === 0));
    }
    await Promise.all([here.stop(), there.stop()]);
  }
  removeAtExit(other);
  return besideTable(commit, pairs);
}

async function onePair(
  here: StartedPeer,
  there: StartedPeer,
  shape: Shape,
  hereFirst: boolean,
): Promise<Pair> {
  const first = await load(hereFirst ? here : there, shape, PACE);
  const second = await load(hereFirst ? there : here, shape, PACE);
  return hereFirst ? { here: first, there: second } : { here: second, there: first };
}

/** The files of a commit, with the dependencies and the built console of this checkout. */
export function checkOut(commit: string): string {
  const folder = newFolder();
  const archive = spawnSync("git", ["archive", commit], {
    cwd: root,
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (archive.status !== 0) process.exit(2);
  mkdirSync(folder, { recursive: true });
  spawnSync("tar", ["-x", "-C", folder], { input: archive.stdout });
  for (const modules of ["node_modules", "console/node_modules"])
    symlinkSync(path.join(root, modules), path.join(folder, modules));
  const built = "console/dist";
  cpSync(path.join(root, built), path.join(folder, built), { recursive: true });
  return folder;
}

/** Removes a commit's files. Call it after the start: the commit's own listener stops its database by a script in the folder. */
export function removeAtExit(checkout: string): void {
  process.on("exit", () => rmSync(checkout, { recursive: true, force: true }));
}

/** Each commit seeds its own store, because their schemas may differ. */
export async function startIn(checkout: string, store: StoreName): Promise<StartedPeer> {
  const jobs = path.join(checkout, "bench", "jobs");
  const { startAnew } = await import(path.join(jobs, "peers", "freehold.ts"));
  const { sqliteHome, postgresHome } = await import(path.join(jobs, "host", "home.ts"));
  return startAnew(store === "sqlite" ? sqliteHome : postgresHome);
}

function besideTable(commit: string, pairs: Map<Shape, Pair[]>): string {
  const rows = [...pairs].map(([{ form, clients }, of]) => {
    const middle = (figure: (pair: Pair) => number) => median(of.map(figure));
    const ratios = of.map(({ here, there }) => peerMicros(here) / peerMicros(there));
    const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
    return [
      `${form} at ${clients}`,
      middle(({ there }) => peerMicros(there)).toFixed(0),
      middle(({ here }) => peerMicros(here)).toFixed(0),
      `${median(ratios).toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`,
      middle(({ here, there }) => here.cyclesPerSecond / there.cyclesPerSecond).toFixed(2),
      middle(({ there }) => there.writtenKbPerCycle).toFixed(1),
      middle(({ here }) => here.writtenKbPerCycle).toFixed(1),
    ];
  });
  const head = ["shape", `CPU µs/job at ${commit}`, "here", "ratio of CPU", "ratio of cycles/s"];
  return markdownTable([...head, `kB/job at ${commit}`, "here"], rows);
}
