// What the job queue is held to, each goal with the figures of a run and whether they meet it.
import type { Alone, AloneOnPostgres, AloneOnSqlite } from "./alone/alone.ts";
import type { Laden } from "./alone/beside-backlog.ts";
import type { Figures } from "./comparison.ts";

export interface Verdict {
  goal: string;
  figures: string;
  met: boolean;
}

const MB = 1e6;

/** Of the party beside another, per form and number of clients: cycles per second, CPU per job. */
export function ratios(figures: Figures[], party: string, other: string) {
  return figures
    .filter((row) => row.party === party)
    .map((own) => {
      const { form, clients } = own.shape;
      const beside = figures.find(
        ({ party, shape }) => party === other && shape.form === form && shape.clients === clients,
      )!;
      return {
        shape: `${form} at ${clients}`,
        rate: own.cyclesPerSecond / beside.cyclesPerSecond,
        cpu: own.cpuMicrosPerCycle / beside.cpuMicrosPerCycle,
      };
    });
}

export function comparisonVerdicts(figures: Figures[]): Verdict[] {
  const own = (other: string) => ratios(figures, "Freehold", other);
  const measured = (party: string) => figures.some((row) => row.party === party);
  const floors = ["bare Fastify", "Freehold's edge"]
    .filter(measured)
    .flatMap((floor) => [
      every(
        `At least 0.8 of the jobs per second of the floor, ${floor}`,
        "rate",
        own(floor),
        least(0.8),
      ),
      every(
        `At most 1.5 times the CPU per job of the floor, ${floor}`,
        "cpu",
        own(floor),
        most(1.5),
      ),
    ]);
  if (!measured("bullmq-always")) return floors;
  return [
    ...floors,
    every("At least 2.5 times BullMQ, always", "rate", own("bullmq-always"), least(2.5)),
    every("Ahead of BullMQ, everysec", "rate", own("bullmq-everysec"), (ratio) => ratio > 1),
  ];
}

export function aloneVerdicts({ laden, large, backlogJobs }: AloneOnSqlite): Verdict[] {
  const [empty, ...full] = laden as [Laden, ...Laden[]];
  const jobs = backlogJobs.toLocaleString("en");
  const delayMs = large.beside.maxMs - large.without.p50Ms;
  const idleMb = empty.idleBytes / MB;
  const grownMb = full.map(({ loadedBytes }) => (loadedBytes - empty.idleBytes) / MB);
  return [
    latencyVerdict("Idle, submit to receipt: p99 within 2 ms plus twice a bare sync", empty),
    ...full
      .filter(({ idle }) => idle)
      .map((each) => latencyVerdict(`The same with ${jobs} jobs on ${each.queued}`, each)),
    ...backlogVerdicts({ laden, backlogJobs }),
    {
      goal: "10 MB inputs in flight delay other requests by no more than 50 ms",
      figures: `${delayMs.toFixed(1)} ms (the longest, less the usual without them)`,
      met: delayMs <= 50,
    },
    {
      goal: "Under 170 MB resident when idle",
      figures: `${idleMb.toFixed(0)} MB`,
      met: idleMb < 170,
    },
    {
      goal: `Growing by less than 200 MB with ${jobs} jobs queued`,
      figures: `${grownMb.map((mb) => mb.toFixed(0)).join(", ")} MB, after load, over idle`,
      met: grownMb.every((mb) => mb < 200),
    },
    {
      goal: `Start to ready under one second, also with ${jobs} jobs queued`,
      figures: `${laden.map(({ readyMs }) => readyMs.toFixed(0)).join(", ")} ms`,
      met: laden.every(({ readyMs }) => readyMs < 1_000),
    },
  ];
}

function backlogVerdicts({ laden, backlogJobs }: Pick<Alone, "laden" | "backlogJobs">): Verdict[] {
  const jobs = backlogJobs.toLocaleString("en");
  return laden.slice(1).map(({ queued, ofEmpty, cpuOfEmpty }) => ({
    goal: `A cycle with ${jobs} jobs on ${queued} within 10 % of one with none`,
    figures: `${ofEmpty.toFixed(2)} of the cycles/s, ${cpuOfEmpty.toFixed(2)} of the CPU`,
    met: ofEmpty >= 0.9 && cpuOfEmpty <= 1.1,
  }));
}

export function postgresComparisonVerdicts(figures: Figures[]): Verdict[] {
  const beside = ratios(figures, "Freehold", "pg-boss");
  return [every("At least twice the jobs per second of pg-boss", "rate", beside, least(2))];
}

export function postgresAloneVerdicts(alone: AloneOnPostgres): Verdict[] {
  const { p99Ms } = alone.across;
  return [
    {
      goal: "Idle, submit to receipt by a worker that polls another replica: p99 under 20 ms",
      figures: `${p99Ms.toFixed(2)} ms`,
      met: p99Ms < 20,
    },
    ...backlogVerdicts(alone),
  ];
}

function latencyVerdict(goal: string, { idle }: Laden): Verdict {
  const allowedMs = 2 + 2 * idle!.sync.p99Ms;
  const figures = `${idle!.p99Ms.toFixed(2)} ms, where ${allowedMs.toFixed(2)} ms are allowed`;
  return { goal, figures, met: idle!.p99Ms <= allowedMs };
}

const least = (bound: number) => (ratio: number) => ratio >= bound;
const most = (bound: number) => (ratio: number) => ratio <= bound;

function every(
  goal: string,
  of: "rate" | "cpu",
  rows: ReturnType<typeof ratios>,
  holds: (ratio: number) => boolean,
): Verdict {
  const figures = rows.map((row) => `${row[of].toFixed(2)} (${row.shape})`).join(", ");
  return { goal, figures, met: rows.every((row) => holds(row[of])) };
}
