// Clocks that are set: the service's, which is the host's on SQLite and else the database's, and those of the engines.

import { oneIn, pick, type Simulation, whole } from "../model.ts";
import type { Action } from "./action.ts";
import { amidCalls } from "./replicas.ts";

/** Loops that were in the middle of a pass have had another one by then. */
const FOLLOWED_MS = 60_000;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export const clockActions: Record<string, Action> = {
  setClock: { weight: 4, run: setClock },
  setEngineClock: { weight: 2, run: setEngineClock },
};

const drawStep = (simulation: Simulation) =>
  whole(simulation, 1, 50) *
  pick(simulation, [SECOND_MS, MINUTE_MS, HOUR_MS / 4]) *
  (oneIn(simulation, 2) ? 1 : -1);

/** In the middle of calls, and of the passes that they cause. */
async function setClock(simulation: Simulation) {
  const { world, coverage, trace } = simulation;
  const byMs = drawStep(simulation);
  await amidCalls(simulation, () => world.step(byMs, whole(simulation, 4, 24)));
  world.disturb(FOLLOWED_MS);
  coverage.count("clock", byMs > 0 ? "set forward" : "set back");
  trace(`the clock is set by ${byMs} ms`);
}

async function setEngineClock(simulation: Simulation) {
  const replica = pick(simulation, simulation.world.serving);
  const leadMs = oneIn(simulation, 3) ? 0 : drawStep(simulation);
  replica.setEngineLead(leadMs);
  simulation.coverage.count("clock", leadMs === 0 ? "engine set right" : "engine set wrong");
}
