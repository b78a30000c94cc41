// The simulation: one history in a world of its own, or many one after another in a world that they share.

import { deleteAll, recover } from "./end-history.ts";
import { cpuSecondsSinceLast, playHistory, type Run } from "./history.ts";
import type { Outcome } from "./outcome.ts";
import { openScene } from "./scene.ts";
import { DatabaseServer } from "./world/database.ts";

export async function simulate(run: Run): Promise<Outcome> {
  const server = run.replicas === null ? null : await DatabaseServer.start();
  const scene = await openScene(run.replicas, server);
  const outcome = await playHistory(scene, run);
  await scene.world.close();
  server?.close();
  return { ...outcome, cpuSeconds: outcome.cpuSeconds + cpuSecondsSinceLast() };
}

export interface Batch extends Run {
  /** How many histories; their seeds begin with that of the run. */
  count: number;
  /** Called before each. */
  reseed(seed: number): void;
  onOutcome(outcome: Outcome): void;
}

/** The replicas and their database live on from history to history. One that fails is the last. */
export async function simulateBatch({ count, reseed, onOutcome, ...run }: Batch): Promise<void> {
  const server = await DatabaseServer.start();
  const scene = await openScene(run.replicas, server);
  for (let seed = run.seed; seed < run.seed + count; seed++) {
    reseed(seed);
    const outcome = await playHistory(scene, { ...run, seed }, [recover, deleteAll]);
    onOutcome(outcome);
    if (outcome.violation) return;
  }
}
