// One run of the simulation: random actions under one clock, and every invariant after each of them.

import { createHash } from "node:crypto";
import { seeded } from "../../sim/day/seeded.ts";
import { rows, type Tx } from "../../src/store/engine/statement.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import type { Action } from "./actions/action.ts";
import { clockActions } from "./actions/clocks.ts";
import { endpointActions, pauseCrashing } from "./actions/endpoints.ts";
import { jobActions } from "./actions/jobs.ts";
import { moneyActions } from "./actions/money.ts";
import { podActions } from "./actions/pods.ts";
import { databaseActions, replicaActions } from "./actions/replicas.ts";
import { restartActions, troubleActions } from "./actions/trouble.ts";
import type { Invariant } from "./invariants/invariant.ts";
import { jobInvariants } from "./invariants/jobs.ts";
import { leaseInvariants } from "./invariants/leases.ts";
import { loopInvariants } from "./invariants/loops.ts";
import { meteredTimeInvariants } from "./invariants/metered-times.ts";
import { moneyInvariants } from "./invariants/money.ts";
import { readInvariants } from "./invariants/reads.ts";
import { scheduleInvariants } from "./invariants/schedules.ts";
import { workloadInvariants } from "./invariants/workloads.ts";
import { Coverage, newModel, oneIn, type Simulation, Violation } from "./model.ts";
import { callService } from "./world/call-service.ts";
import { DatabaseServer } from "./world/database.ts";
import { World } from "./world/world.ts";

export interface Run {
  seed: number;
  hours: number;
  /** On PostgreSQL; null is one service on SQLite. */
  replicas: number | null;
  /** For the database; by default one of its own, which ends with the history. */
  server?: DatabaseServer;
  /** Receives each line of what happens. */
  onTrace?: (line: string) => void;
}

export interface Outcome {
  seed: number;
  replicas: number | null;
  /** How often each thing happened, by kind and name. */
  counts: Record<string, number>;
  steps: number;
  calls: number;
  virtualHours: number;
  cpuSeconds: number;
  /** The hash of everything that happened, in order. */
  trace: string;
  violation: { invariant: string; message: string; step: number; action: string } | null;
}

const HOUR_MS = 3_600_000;
/** Real time in which a busy machine passes on what has happened. */
const PASSED_ON_MS = 500;
const LONGEST_MS = 240 * HOUR_MS;
/** For how long endpoints whose workers only crash are left to it. */
const CRASHING_MS = 3 * HOUR_MS;
/** Replicas are watched by their heartbeats, so that time passes in short moves. */
const LONGEST_OF_REPLICAS_MS = HOUR_MS / 4;
const actions: Record<string, Action> = {
  ...endpointActions,
  ...jobActions,
  ...podActions,
  ...moneyActions,
  ...troubleActions,
  ...clockActions,
};

const flagsFor = (replicas: number | null) => ({
  ...{ proxyListen: "off", s3Listen: "off", sshListen: "off" },
  simulatedGpus: '{"NVIDIA A40": 4, "NVIDIA L4": 3}',
  machine: JSON.stringify({ vcpus: 64, memoryInGb: 256, diskInGb: 2_000 }),
  // Results are kept for longer than the longest step.
  protocol: JSON.stringify({
    keepAsyncMs: 2 * LONGEST_MS,
    ...(replicas === null ? WITHOUT_HEARTBEATS : { heartbeatMs: 10_000, machineLostMs: 180_000 }),
  }),
});

/** A step without heartbeats loses neither machine nor leadership. */
const WITHOUT_HEARTBEATS = { heartbeatMs: 10_000 * HOUR_MS, machineLostMs: 1_000_000 * HOUR_MS };

/** What can happen to one service, to replicas, and to a database server. */
const actionsFor = (replicas: number | null): Record<string, Action> => ({
  ...actions,
  ...((replicas ?? 1) > 1 ? replicaActions : restartActions),
  ...(replicas !== null && databaseActions),
});

export async function simulate(run: Run): Promise<Outcome> {
  if (run.replicas === null || run.server) return simulateOn(run.server ?? null, run);
  const server = await DatabaseServer.start();
  try {
    return await simulateOn(server, run);
  } finally {
    server.close();
  }
}

async function simulateOn(
  server: DatabaseServer | null,
  { seed, hours, replicas, onTrace }: Run,
): Promise<Outcome> {
  const cpu = process.cpuUsage();
  const random = seeded(seed);
  const hash = createHash("sha256");
  const coverage = new Coverage();
  const database = server && (await server.newDatabase());
  const world = new World(flagsFor(replicas), replicas ?? 1, database);
  await world.start();
  const begun = world.ticks;
  const operator = { id: await world.read(firstAccountId), key: world.key };
  const simulation: Simulation = {
    ...{ world, random, coverage, model: newModel(operator), actions: actionsFor(replicas) },
    trace(text) {
      const line = `${world.now} ${text}
`;
      hash.update(line);
      onTrace?.(line);
    },
    call: (...request) => callService(simulation, ...request),
  };
  const invariants = [
    ...[...jobInvariants(), ...leaseInvariants(), ...scheduleInvariants()],
    ...[...workloadInvariants(), ...moneyInvariants(), ...readInvariants()],
    ...[...meteredTimeInvariants(), ...loopInvariants()],
  ];
  let steps = 0;
  let violation: Outcome["violation"] = null;
  let action = "";
  try {
    for (; world.ticks - begun < hours * HOUR_MS; steps++) {
      action = await step(simulation);
      await check(simulation, invariants);
    }
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    violation = { invariant: error.invariant, message: error.message, step: steps, action };
  }
  const virtualHours = (world.ticks - begun) / HOUR_MS;
  const { calls } = world.router;
  await world.close();
  const { user, system } = process.cpuUsage(cpu);
  const cpuSeconds = (user + system) / 1e6;
  const counts = Object.fromEntries([...coverage.counts].sort());
  return {
    seed,
    replicas,
    counts,
    steps,
    calls,
    virtualHours,
    cpuSeconds,
    trace: hash.digest("hex"),
    violation,
  };
}

/** Mostly an action and a short while; now and then hours in which nothing is done. */
async function step(simulation: Simulation): Promise<string> {
  const { world, random } = simulation;
  const name = await act(simulation);
  const isLong = oneIn(simulation, 4);
  const longestMs = world.database ? LONGEST_OF_REPLICAS_MS : LONGEST_MS;
  const ms = isLong ? longestMs * Math.exp(-random.between(0, 5)) : 30_000 * random.next() ** 2;
  if (ms > CRASHING_MS) await pauseCrashing(simulation);
  await world.pass(Math.round(ms));
  return name;
}

async function act(simulation: Simulation): Promise<string> {
  for (;;) {
    const name = choose(simulation);
    simulation.trace(name);
    if ((await simulation.actions[name]!.run(simulation)) === false) continue;
    simulation.coverage.count("action", name);
    return name;
  }
}

function choose({ random, actions }: Simulation): string {
  const all = Object.entries(actions);
  const total = all.reduce((sum, [, { weight }]) => sum + weight, 0);
  let left = random.next() * total;
  for (const [name, { weight }] of all) {
    left -= weight;
    if (left < 0) return name;
  }
  return all[0]![0];
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

function* firstAccountId(): Tx<string> {
  const found = yield* rows<{ id: string }>("select id from account order by created_at limit 1");
  return found[0]!.id;
}

function* deletedEndpoints(): Tx<Set<string>> {
  const found = yield* rows<{ id: string }>("select id from endpoint where deleted_at is not null");
  return new Set(found.map(({ id }) => id));
}
