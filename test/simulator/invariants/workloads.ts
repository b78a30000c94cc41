// What holds for workloads: no GPU is given twice or kept by nothing, and what runs on the machine is what the
// service says.

import type { Simulation } from "../model.ts";
import type { World } from "../world/world.ts";
import { type Invariant, Lasting, query, violate } from "./invariant.ts";

interface Workload {
  id: string;
  kind: "pod" | "worker";
  desired: string;
  observed: string;
  machine: string;
  gpus: string;
}

const READ = `
  select id, 'pod' as kind, state as desired, observed, machine, started_gpus as gpus from pod
  union all
  select id, 'worker' as kind, desired, observed, machine, gpus from worker`;

/** A stop takes up to its grace period, and a start waits for its loop. */
const CHANGING_MS = 90_000;

export function workloadInvariants(): Invariant[] {
  const orphans = new Lasting(CHANGING_MS);
  const missing = new Lasting(CHANGING_MS);
  const keepers = new Lasting(CHANGING_MS);
  const states = new Map<string, string>();
  return [
    async (simulation) => {
      const stored = await query<Workload>(simulation, READ);
      const { world } = simulation;
      const byId = new Map(stored.map((each) => [each.id, each]));
      const running = await runningOn(world.replicas.filter(({ isUp }) => isUp));
      checkGpus(running, byId);
      const observed = await runningOn(world.serving);
      const isWanted = ({ id, machine }: Placed) =>
        byId.get(id)?.machine === machine && !isOver(byId.get(id)!);
      const [orphan] = orphans.tooLong(
        observed.filter((each) => !isWanted(each)).map(({ id, machine }) => `${id} ${machine}`),
        world,
      );
      if (orphan)
        violate("no workload is an orphan", {
          orphan,
          stored: byId.get(orphan.split(" ")[0]!) ?? null,
        });
      const ids = new Set(observed.map(({ id }) => id));
      const machines = new Set(world.serving.map(({ machine }) => machine));
      const [lost] = missing.tooLong(
        stored
          .filter(({ observed, machine }) => observed === "running" && machines.has(machine))
          .filter(({ id }) => !ids.has(id))
          .map(({ id }) => id),
        world,
      );
      if (lost) violate("what is shown as running runs", byId.get(lost));
      checkLost(world, stored);
      await checkHeard(simulation);
      await checkHolders(simulation, byId, keepers);
      recordStates(simulation, states, stored);
    },
  ];
}

const isOver = ({ kind, desired, observed }: Workload) =>
  kind === "pod" ? desired !== "RUNNING" : desired === "end" || observed === "ended";

/** Three minutes of silence lose a machine. */
const LOST_MS = 400_000;

/** The workers of a lost machine have ended; its Pods wait for it. */
function checkLost({ replicas, ticks, orderlySinceTicks }: World, stored: Workload[]): void {
  if (ticks < orderlySinceTicks + LOST_MS) return;
  for (const { machine, awayMs } of replicas) {
    if (awayMs < LOST_MS) continue;
    const worker = stored.find(
      (each) => each.kind === "worker" && each.machine === machine && each.observed !== "ended",
    );
    if (worker) violate("a lost machine keeps no workers", worker);
  }
}

/** Heartbeats of a replica that serves are heard, whatever a clock was set to. */
async function checkHeard(simulation: Simulation): Promise<void> {
  const { world } = simulation;
  if (world.now <= world.orderlySince) return;
  const lost = await query<{ machine: string }>(
    simulation,
    "select machine from replica where lost_at is not null",
  );
  const machines = new Set(world.serving.map(({ machine }) => machine));
  const heard = lost.find(({ machine }) => machines.has(machine));
  if (heard) violate("a machine that is heard is not lost", heard);
}

interface Placed {
  id: string;
  machine: string;
}

async function runningOn(replicas: Simulation["world"]["replicas"]): Promise<Placed[]> {
  const found = [];
  for (const { driver, machine } of replicas)
    for (const { id, state } of await driver.list())
      if (state === "running") found.push({ id, machine });
  return found;
}

/** A workload that was moved to another machine may still run on the one that was lost, which has GPUs of its own. */
function checkGpus(running: Placed[], byId: Map<string, Workload>): void {
  const holders = new Map<string, string>();
  for (const { id, machine } of running) {
    const stored = byId.get(id);
    if (stored?.machine !== machine) continue;
    for (const gpu of stored.gpus.split(",").filter((text) => text !== "")) {
      const other = holders.get(`${machine} ${gpu}`);
      if (other) violate("no GPU is given twice", { gpu, first: other, second: id });
      holders.set(`${machine} ${gpu}`, id);
    }
  }
}

async function checkHolders(
  simulation: Simulation,
  byId: Map<string, Workload>,
  keepers: Lasting,
): Promise<void> {
  const held = await query<{ holder: string }>(simulation, "select distinct holder from held_gpu");
  const isLive = ({ kind, desired, observed }: Workload) =>
    kind === "pod" ? desired === "RUNNING" : observed !== "ended";
  const dead = held
    .map(({ holder }) => holder)
    .filter((id) => !byId.has(id) || !isLive(byId.get(id)!));
  const [first] = keepers.tooLong(dead, simulation.world);
  if (first) violate("a GPU is released", { holder: first, stored: byId.get(first) ?? null });
}

function recordStates(
  { coverage, trace }: Simulation,
  states: Map<string, string>,
  all: Workload[],
) {
  for (const { id, kind, desired, observed } of all) {
    const state = `${desired}/${observed}`;
    const before = states.get(id) ?? "(new)";
    if (before === state) continue;
    coverage.count(`${kind} move`, `${before} -> ${state}`);
    trace(`${id} ${state}`);
    states.set(id, state);
  }
}
