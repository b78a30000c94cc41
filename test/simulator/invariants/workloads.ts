// What holds for workloads: no GPU is given twice or kept by nothing, and what runs on the machine is what the
// service says.

import type { Simulation } from "../model.ts";
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
      const { now, driver } = simulation.world;
      const byId = new Map(stored.map((each) => [each.id, each]));
      const running = (await driver.list()).filter(({ state }) => state === "running");
      checkGpus(running.flatMap(({ id }) => byId.get(id) ?? []));
      const isWanted = (id: string) => byId.has(id) && !isOver(byId.get(id)!);
      const [orphan] = orphans.tooLong(
        running.map(({ id }) => id).filter((id) => !isWanted(id)),
        now,
      );
      if (orphan) violate("no workload is an orphan", { orphan, stored: byId.get(orphan) ?? null });
      const ids = new Set(running.map(({ id }) => id));
      const [lost] = missing.tooLong(
        stored
          .filter((each) => each.observed === "running" && !ids.has(each.id))
          .map(({ id }) => id),
        now,
      );
      if (lost) violate("what is shown as running runs", byId.get(lost));
      await checkHolders(simulation, byId, keepers);
      recordStates(simulation, states, stored);
    },
  ];
}

const isOver = ({ kind, desired, observed }: Workload) =>
  kind === "pod" ? desired !== "RUNNING" : desired === "end" || observed === "ended";

/** Of workloads that run on the machine. */
function checkGpus(running: Workload[]): void {
  const holders = new Map<string, string>();
  for (const { id, machine, gpus } of running) {
    for (const gpu of gpus.split(",").filter((text) => text !== "")) {
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
  const [first] = keepers.tooLong(dead, simulation.world.now);
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
