// A history: random actions under one clock, and every invariant after each of them.

import { createHash } from "node:crypto";
import { seeded } from "../../sim/day/seeded.ts";
import { rows, type Tx } from "../../src/store/engine/statement.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import { pauseCrashing } from "./actions/endpoints.ts";
import type { Invariant } from "./invariants/invariant.ts";
import { Coverage, oneIn, type Simulation, Violation, whole } from "./model.ts";
import { NO_ERROR, type Outcome } from "./outcome.ts";
import { LONGEST_MS, type Scene } from "./scene.ts";
import { callService } from "./world/call-service.ts";

export interface Run {
  seed: number;
  hours: number;
  /** On PostgreSQL; null is one service on SQLite. */
  replicas: number | null;
  /** Receives each line of what happens. */
  onTrace?: (line: string) => void;
}

const HOUR_MS = 3_600_000;
/** Real time in which a busy machine passes on what has happened. */
const PASSED_ON_MS = 500;
/** For how long endpoints whose workers only crash are left to it. */
const CRASHING_MS = 3 * HOUR_MS;
/** Replicas are watched by their heartbeats, so that time passes in short moves. */
const LONGEST_OF_REPLICAS_MS = HOUR_MS / 4;
/** Among its first steps, each history of replicas has one of these. */
const FIRST_STEPS = 5;
const TROUBLE = [
  "stopReplica",
  "killReplica",
  "cutOffReplica",
  "freezeReplica",
  "restartDatabase",
  "failOver",
  "loseAnswers",
  "setClock",
];
/** `endings` come after the last action; the invariants hold after each of them too. */
export async function playHistory(
  scene: Scene,
  run: Run,
  endings: ((simulation: Simulation) => Promise<void>)[] = [],
): Promise<Outcome> {
  const { world } = scene;
  const [begun, called] = [world.ticks, world.router.calls];
  const hash = createHash("sha256");
  const simulation = newSimulation(scene, run.seed, (line) => {
    hash.update(line);
    run.onTrace?.(line);
  });
  const troubleAt = (run.replicas ?? 1) > 1 ? whole(simulation, 1, FIRST_STEPS) : -1;
  let steps = 0;
  let violation: Outcome["violation"] = null;
  try {
    const all = Object.keys(scene.actions);
    const longestMs = world.database
      ? Math.min(LONGEST_OF_REPLICAS_MS, run.hours * HOUR_MS)
      : LONGEST_MS;
    for (; world.ticks - begun < run.hours * HOUR_MS || steps <= troubleAt; steps++) {
      await step(simulation, steps === troubleAt ? TROUBLE : all, longestMs);
      await check(simulation, scene.invariants);
    }
    for (const end of endings) {
      await end(simulation);
      await check(simulation, scene.invariants);
    }
  } catch (error) {
    violation = { ...violationOf(error as Error), step: steps, action: simulation.action };
  }
  return {
    seed: run.seed,
    replicas: run.replicas,
    steps,
    violation,
    counts: Object.fromEntries([...simulation.coverage.counts].sort()),
    calls: world.router.calls - called,
    virtualHours: (world.ticks - begun) / HOUR_MS,
    cpuSeconds: cpuSecondsSinceLast(),
    trace: hash.digest("hex"),
  };
}

function newSimulation(
  { world, model, actions }: Scene,
  seed: number,
  onLine: (line: string) => void,
): Simulation {
  const simulation: Simulation = {
    world,
    model,
    actions,
    random: seeded(seed),
    coverage: new Coverage(),
    action: "",
    trace: (text) => onLine(`${world.now} ${text}\n`),
    call: (...request) => callService(simulation, ...request),
  };
  return simulation;
}

function violationOf(error: Error): { invariant: string; message: string } {
  if (error instanceof Violation) return { invariant: error.invariant, message: error.message };
  return { invariant: NO_ERROR, message: `${NO_ERROR}: ${error.stack}` };
}

/** Mostly an action and a short while; now and then hours in which nothing is done. */
async function step(simulation: Simulation, names: string[], longestMs: number): Promise<void> {
  const { world, random } = simulation;
  await act(simulation, names);
  const isLong = oneIn(simulation, 4);
  const ms = isLong ? longestMs * Math.exp(-random.between(0, 5)) : 30_000 * random.next() ** 2;
  if (ms > CRASHING_MS) await pauseCrashing(simulation);
  await world.pass(Math.round(ms));
}

async function act(simulation: Simulation, names: string[]): Promise<void> {
  for (;;) {
    const name = choose(simulation, names);
    simulation.action = name;
    simulation.trace(name);
    if ((await simulation.actions[name]!.run(simulation)) === false) continue;
    simulation.coverage.count("action", name);
    return;
  }
}

function choose({ random, actions }: Simulation, names: string[]): string {
  const total = names.reduce((sum, name) => sum + actions[name]!.weight, 0);
  let left = random.next() * total;
  for (const name of names) {
    left -= actions[name]!.weight;
    if (left < 0) return name;
  }
  return names[0]!;
}

async function check(simulation: Simulation, invariants: Invariant[]): Promise<void> {
  const deleted = await simulation.world.read(deletedEndpoints);
  for (const endpoint of simulation.model.endpoints)
    if (deleted.has(endpoint.id)) endpoint.isDeleted = true;
  for (const invariant of invariants) await hold(simulation, invariant);
}

/** What a server of its own process still passed on may come between two reads; a violation stays. */
async function hold(simulation: Simulation, invariant: Invariant): Promise<void> {
  try {
    await invariant(simulation);
  } catch (error) {
    if (!(error instanceof Violation) || !simulation.world.database) throw error;
    await pauseMs(PASSED_ON_MS);
    await simulation.world.settle();
    await invariant(simulation);
  }
}

function* deletedEndpoints(): Tx<Set<string>> {
  const found = yield* rows<{ id: string }>("select id from endpoint where deleted_at is not null");
  return new Set(found.map(({ id }) => id));
}

let countedSeconds = 0;

/** The CPU time since the last call, or since the process began. */
export function cpuSecondsSinceLast(): number {
  const { user, system } = process.cpuUsage();
  const total = (user + system) / 1e6;
  const since = total - countedSeconds;
  countedSeconds = total;
  return since;
}
