// Trouble: the only replica stops or is killed, and faults are switched on by name.

import { oneIn, pick, type Simulation, whole } from "../model.ts";
import type { Action } from "./action.ts";

/** Faults that strike what the simulation uses; without those that strike webhooks and GraphQL. */
const FAULTS = [
  "pod-create-500-but-created",
  "no-capacity",
  "429-storm",
  "edge-524",
  "delete-then-404",
  "stale-status",
  "job-done-400",
  "cold-start-90s",
  "registry-down",
  "job-lost-worker",
  "spot-eviction",
];

/** Of a service without other replicas. */
export const restartActions: Record<string, Action> = {
  restart: { weight: 1, run: (simulation) => restart(simulation, "stop") },
  kill: { weight: 1, run: (simulation) => restart(simulation, "kill") },
};

export const troubleActions: Record<string, Action> = {
  faultOn: { weight: 3, run: faultOn },
  faultOff: { weight: 3, run: faultOff },
};

async function restart(simulation: Simulation, how: "stop" | "kill") {
  const { world, model } = simulation;
  await world.replicas[0]![how]();
  if (!world.database) model.faults.clear();
  const downMs = oneIn(simulation, 3) ? 1_000 * whole(simulation, 1, 7_200) : 0;
  if (downMs > 0) await world.pass(downMs);
  await world.start();
}

async function faultOn(simulation: Simulation) {
  const { model } = simulation;
  if (model.faults.size > 1) return false;
  const name = pick(simulation, FAULTS);
  const rate = pick(simulation, [0.1, 0.5]);
  const { status } = await simulation.call(model.accounts[0]!, "POST", "/v1/faults", {
    name,
    rate,
    for: `${whole(simulation, 1, 60)}m`,
  });
  if (status >= 300) return;
  model.faults.add(name);
  simulation.coverage.count("fault", name);
}

async function faultOff(simulation: Simulation) {
  const { model } = simulation;
  if (model.faults.size === 0) return false;
  await switchOff(simulation, pick(simulation, [...model.faults]));
}

export async function switchOffFaults(simulation: Simulation): Promise<void> {
  for (const name of simulation.model.faults) await switchOff(simulation, name);
}

async function switchOff(simulation: Simulation, name: string): Promise<void> {
  const { model } = simulation;
  await simulation.call(model.accounts[0]!, "DELETE", `/v1/faults/${name}`);
  model.faults.delete(name);
}
