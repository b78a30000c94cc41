// The cycle on an empty queue and with a backlog, on the measured endpoint and on another one, in alternation; also the
// start time and the memory on the same data.
import { setTimeout as pause } from "node:timers/promises";
import { benchEndpoint } from "../bench-key.ts";
import { load, median, type Pace, peerMicros } from "../comparison.ts";
import type { Home, NewHome } from "../host/home.ts";
import { residentBytes } from "../host/process-cpu.ts";
import type { LoadResult } from "../load.ts";
import { startOn } from "../peers/freehold.ts";
import { otherEndpoint, queueBacklog } from "./backlog.ts";
import { type IdleLatency, measureIdle } from "./idle-latency.ts";

/** After this long, an idle service has given back what its start used. */
const SETTLE_MS = 5_000;

export interface Laden {
  /** The endpoint with the backlog. */
  queued: "nowhere" | "the same endpoint" | "another endpoint";
  cyclesPerSecond: number;
  cpuMicrosPerCycle: number;
  p99Ms: number;
  /** Ratios to the empty queue in the same round, as medians. */
  ofEmpty: number;
  cpuOfEmpty: number;
  readyMs: number;
  idleBytes: number;
  loadedBytes: number;
  /** Null if the measured endpoint has the backlog: no poll is ever held there. */
  idle: IdleLatency | null;
}

interface Round {
  result: LoadResult;
  readyMs: number;
  idleBytes: number;
  loadedBytes: number;
}

interface Case {
  queued: Laden["queued"];
  home: Home;
  rounds: Round[];
  idle: IdleLatency | null;
}

export interface BacklogPlan extends Pace {
  jobs: number;
  idleJobs: number;
}

export async function measureBacklog(
  newHome: NewHome,
  plan: BacklogPlan,
  progress: (line: string) => void,
): Promise<Laden[]> {
  const cases: Case[] = [];
  try {
    for (const queued of ["nowhere", "the same endpoint", "another endpoint"] as const) {
      const home = await newHome();
      cases.push({ queued, home, rounds: [], idle: null });
      if (queued === "nowhere") continue;
      const endpointId = queued === "the same endpoint" ? benchEndpoint : otherEndpoint;
      progress(`queueing ${plan.jobs} jobs on ${queued}`);
      await queueBacklog(home, endpointId, plan.jobs);
    }
    for (const each of cases) if (each.queued !== "the same endpoint") await idleOf(each, plan);
    for (let n = 1; n <= plan.rounds; n++) {
      // In alternating order, so that no case always comes first.
      for (const each of n % 2 === 1 ? cases : cases.toReversed()) {
        const round = await oneRound(each.home, plan);
        each.rounds.push(round);
        const rate = Math.round(round.result.cyclesPerSecond);
        progress(`round ${n}/${plan.rounds}  jobs queued on ${each.queued}: ${rate} cycles/s`);
      }
    }
  } finally {
    for (const { home } of cases) await home.drop();
  }
  return cases.map((each) => laden(each, cases[0]!.rounds));
}

async function idleOf(each: Case, plan: BacklogPlan): Promise<void> {
  const server = await startOn(each.home);
  await pause(SETTLE_MS);
  each.idle = await measureIdle(server, server, each.home.folder, plan.idleJobs);
  await server.stop();
}

async function oneRound(home: Home, pace: Pace): Promise<Round> {
  const server = await startOn(home);
  await pause(SETTLE_MS);
  const idleBytes = residentBytes(server.pid);
  // Warms up the code of the new server, so that the measurement shows the queue.
  const warm = { ...pace, warmUpMs: pace.warmUpMs * 3 };
  const result = await load(server, { form: "cycle", clients: 16 }, warm);
  const loadedBytes = residentBytes(server.pid);
  await server.stop();
  return { result, readyMs: server.readyMs, idleBytes, loadedBytes };
}

function laden({ queued, rounds, idle }: Case, empty: Round[]): Laden {
  const middle = (of: (round: Round, n: number) => number) => median(rounds.map(of));
  const cpu = ({ result }: Round) => peerMicros(result);
  return {
    queued,
    cyclesPerSecond: middle(({ result }) => result.cyclesPerSecond),
    cpuMicrosPerCycle: middle(cpu),
    p99Ms: middle(({ result }) => result.p99Ms),
    ofEmpty: middle(({ result }, n) => result.cyclesPerSecond / empty[n]!.result.cyclesPerSecond),
    cpuOfEmpty: middle((round, n) => cpu(round) / cpu(empty[n]!)),
    readyMs: middle(({ readyMs }) => readyMs),
    idleBytes: middle(({ idleBytes }) => idleBytes),
    loadedBytes: Math.max(...rounds.map(({ loadedBytes }) => loadedBytes)),
    idle,
  };
}
