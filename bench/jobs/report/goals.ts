// The goals of the job queue, each with a run's figures and verdict.
import type { Alone, AloneOnPostgres, AloneOnSqlite } from "../alone/alone.ts";
import type { Laden } from "../alone/beside-backlog.ts";
import type { Figures } from "../comparison.ts";

export interface Verdict {
  goal: string;
  figures: string;
  met: boolean;
}

const MB = 1e6;

/** Ratios of one peer to another, per form and number of clients that both have. */
export function ratios(figures: Figures[], peer: string, other: string) {
  return figures
    .filter((row) => row.peer === peer)
    .flatMap((own) => {
      const { form, clients } = own.shape;
      const reference = figures.find(
        ({ peer, shape }) => peer === other && shape.form === form && shape.clients === clients,
      );
      if (!reference) return [];
      return {
        shape: `${form} at ${clients}`,
        rate: own.cyclesPerSecond / reference.cyclesPerSecond,
        cpu: own.cpuMicrosPerCycle / reference.cpuMicrosPerCycle,
      };
    });
}

export function comparisonVerdicts(figures: Figures[]): Verdict[] {
  const durable = durablePeers(figures);
  const from16 = figures.filter(({ shape }) => shape.clients >= 16);
  return [
    ...best(figures, durable),
    ...durable.map((peer) =>
      every(`Less CPU per job than ${peer}`, "cpu", ratios(figures, "Freehold", peer), below(1)),
    ),
    ...(figures.some(({ peer }) => peer === "bullmq-everysec")
      ? [
          every(
            "More jobs per second than bullmq-everysec, from 16 clients",
            "rate",
            ratios(from16, "Freehold", "bullmq-everysec"),
            above(1),
          ),
        ]
      : []),
    ...[
      { clients: 16, bound: 0.45 },
      { clients: 128, bound: 0.65 },
    ].map(({ clients, bound }) => ofFloor(figures, clients, bound)),
  ];
}

function durablePeers(figures: Figures[]): string[] {
  const durable = figures.filter(({ durability }) => durability === "everything");
  return [...new Set(durable.map(({ peer }) => peer))].filter(
    (peer) => !peer.startsWith("Freehold"),
  );
}

/** Nothing to say without a durable peer. */
function best(figures: Figures[], durable: string[]): Verdict[] {
  if (durable.length === 0) return [];
  const all = durable.flatMap((peer) => ratios(figures, "Freehold", peer));
  const rows = ratios(figures, "Freehold", "Freehold").map((row) => ({
    ...row,
    rate: Math.min(...all.filter(({ shape }) => shape === row.shape).map(({ rate }) => rate)),
  }));
  const goal = "At least 1.25 times the jobs per second of the best durable peer";
  return [every(goal, "rate", rows, least(1.25))];
}

function ofFloor(figures: Figures[], clients: number, bound: number): Verdict {
  const rows = figures.filter(({ shape }) => shape.form === "cycle" && shape.clients === clients);
  const goal = `At least ${bound} of the jobs per second of the floor, bare Fastify, at ${clients} clients`;
  return every(goal, "rate", ratios(rows, "Freehold", "bare Fastify"), least(bound));
}

export function aloneVerdicts({ laden, large, backlogJobs }: AloneOnSqlite): Verdict[] {
  const [empty, ...full] = laden as [Laden, ...Laden[]];
  const jobs = backlogJobs.toLocaleString("en");
  const delayMs = large.beside.maxMs - large.without.p50Ms;
  const idleMb = empty.idleBytes / MB;
  const grownMb = full.map(({ loadedBytes }) => (loadedBytes - empty.idleBytes) / MB);
  return [
    latencyVerdict(
      "Idle latency, submit to receipt: p99 at most 1 ms plus twice a bare sync's",
      empty,
    ),
    ...full
      .filter(({ idle }) => idle)
      .map((each) =>
        latencyVerdict(
          `Idle latency with ${jobs} jobs on ${each.queued}: p99 at most 1 ms plus twice a bare sync's`,
          each,
        ),
      ),
    ...backlogVerdicts({ laden, backlogJobs }),
    {
      goal: "10 MB inputs in flight delay other requests by at most 30 ms",
      figures: `${delayMs.toFixed(1)} ms (the longest request minus the median without large inputs)`,
      met: delayMs <= 30,
    },
    {
      goal: "Under 110 MB resident when idle",
      figures: `${idleMb.toFixed(0)} MB`,
      met: idleMb < 110,
    },
    {
      goal: `Memory growth under 200 MB with ${jobs} jobs queued`,
      figures: `${grownMb.map((mb) => mb.toFixed(0)).join(", ")} MB (after load, minus idle)`,
      met: grownMb.every((mb) => mb < 200),
    },
    {
      goal: `Start to ready under 400 ms, also with ${jobs} jobs queued`,
      figures: `${laden.map(({ readyMs }) => readyMs.toFixed(0)).join(", ")} ms`,
      met: laden.every(({ readyMs }) => readyMs < 400),
    },
  ];
}

function backlogVerdicts({ laden, backlogJobs }: Pick<Alone, "laden" | "backlogJobs">): Verdict[] {
  const jobs = backlogJobs.toLocaleString("en");
  return laden.slice(1).map(({ queued, ofEmpty, cpuOfEmpty }) => ({
    goal: `A cycle with ${jobs} jobs on ${queued} within 10 % of a cycle on an empty queue`,
    figures: `${ofEmpty.toFixed(2)} of the cycles/s, ${cpuOfEmpty.toFixed(2)} of the CPU`,
    met: ofEmpty >= 0.9 && cpuOfEmpty <= 1.1,
  }));
}

export function postgresComparisonVerdicts(figures: Figures[]): Verdict[] {
  const besides = (peer: string) => ratios(figures, "Freehold", peer);
  return [
    every("At least twice the jobs per second of pg-boss", "rate", besides("pg-boss"), least(2)),
    every(
      "More jobs per second than graphile-worker",
      "rate",
      besides("graphile-worker"),
      above(1),
    ),
  ];
}

export function postgresAloneVerdicts(alone: AloneOnPostgres): Verdict[] {
  const { p99Ms } = alone.across;
  return [
    {
      goal: "Idle latency, submit to receipt on another replica: p99 under 20 ms",
      figures: `${p99Ms.toFixed(2)} ms`,
      met: p99Ms < 20,
    },
    ...backlogVerdicts(alone),
  ];
}

function latencyVerdict(goal: string, { idle }: Laden): Verdict {
  const allowedMs = 1 + 2 * idle!.sync.p99Ms;
  const figures = `${idle!.p99Ms.toFixed(2)} ms (limit ${allowedMs.toFixed(2)} ms)`;
  return { goal, figures, met: idle!.p99Ms <= allowedMs };
}

const least = (bound: number) => (ratio: number) => ratio >= bound;
const above = (bound: number) => (ratio: number) => ratio > bound;
const below = (bound: number) => (ratio: number) => ratio < bound;

function every(
  goal: string,
  of: "rate" | "cpu",
  rows: ReturnType<typeof ratios>,
  holds: (ratio: number) => boolean,
): Verdict {
  const figures = rows.map((row) => `${row[of].toFixed(2)} (${row.shape})`).join(", ");
  return { goal, figures, met: rows.every((row) => holds(row[of])) };
}
