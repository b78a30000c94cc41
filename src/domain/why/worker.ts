// Why a worker is as it is.

import { counted, spanText } from "../span.ts";
import { type EndCause, endCauses } from "../worker/end-cause.ts";
import type { WorkerPhase } from "../worker/phase.ts";
import type { Answer, Evidence } from "./answer.ts";
import type { WhyCode } from "./codes.ts";
import { endedHow, usualMeaning } from "./endings.ts";
import { logCause } from "./log-cause.ts";

export interface WorkerSeen {
  id: string;
  phase: WorkerPhase;
  driver: { name: string; here: boolean };
  createdAt: number;
  startedAt: number | null;
  readyAt: number | null;
  /** When a job last left it. */
  freedAt: number | null;
  seenAt: number | null;
  /** Jobs it finished. */
  served: number;
  /** Ids of the jobs it has. */
  jobs: string[];
  /** True where it was wanted to end, and why. */
  endWanted: boolean;
  endReason: string | null;
  unhealthy: string | null;
  ended: {
    at: number;
    exitCode: number | null;
    signal: string | null;
    cause?: EndCause;
  } | null;
  /** The last lines it printed. */
  log: string[];
  idleTimeoutMs: number;
  startupMs: number;
}

export function whyWorker(worker: WorkerSeen, now: number): Answer {
  const { code, sentence, next } = tellings[worker.phase](worker, now);
  return { code, sentence: `Worker ${worker.id} ${sentence}`, next, evidence: evidenceOf(worker) };
}

interface Telling {
  code: WhyCode;
  sentence: string;
  next: string | null;
}

const tellings: Record<WorkerPhase, (worker: WorkerSeen, now: number) => Telling> = {
  starting: whyStarting,
  idle: whyIdle,
  busy: whyBusy,
  draining: whyDraining,
  unhealthy: whyUnhealthy,
  ended: whyEnded,
};

function evidenceOf({ id, jobs, log, ended, unhealthy }: WorkerSeen): Evidence {
  const ending = ended && { workerId: id, endedAt: ended.at, ...codes(ended), unhealthy };
  return {
    ...(jobs.length > 0 && { jobs }),
    ...(ending && { ends: [ending] }),
    ...(log.length > 0 && { log: { workerId: id, lines: log } }),
  };
}

const codes = ({ exitCode, signal, cause }: NonNullable<WorkerSeen["ended"]>) => {
  return { exitCode, signal, ...(cause && { cause }) };
};

function whyStarting(worker: WorkerSeen, now: number): Telling {
  const { driver, startedAt, createdAt, startupMs } = worker;
  if (!driver.here) {
    return {
      code: "driver_missing",
      sentence: `cannot be started: the driver "${driver.name}" is not offered by this service.`,
      next: "Offer the driver (FREEHOLD_DRIVERS), or let the template name another one.",
    };
  }
  const next = "Wait for it; if it takes long, read its log.";
  if (startedAt === null) {
    const sentence = `has been waiting for its start for ${spanText(now - createdAt)}.`;
    return { code: "worker_starting", sentence, next };
  }
  return {
    code: "worker_starting",
    sentence:
      `was started ${spanText(now - startedAt)} ago and has not asked for a job yet; it has ` +
      `${spanText(startupMs)} to do so.`,
    next,
  };
}

function whyIdle({ freedAt, readyAt, createdAt, seenAt, ...worker }: WorkerSeen, now: number) {
  const since = freedAt ?? readyAt ?? createdAt;
  const called = seenAt === null ? "" : ` It last called ${spanText(now - seenAt)} ago.`;
  return {
    code: "worker_idle" as const,
    sentence:
      `has been idle for ${spanText(now - since)}; it may end after ` +
      `${spanText(worker.idleTimeoutMs)} without a job.${called}`,
    next: null,
  };
}

function whyBusy({ jobs, served, seenAt }: WorkerSeen, now: number): Telling {
  const called = seenAt === null ? "" : ` It last called ${spanText(now - seenAt)} ago.`;
  const sentence = `has ${counted(jobs.length, "job")} and finished ${served} before.${called}`;
  return { code: "worker_busy", sentence, next: null };
}

function whyDraining({ endReason, jobs }: WorkerSeen): Telling {
  const why = endReason ?? "it was told to end";
  const rest =
    jobs.length === 0 ? "it has none left" : `it still has ${counted(jobs.length, "job")}`;
  const sentence = `takes no more jobs because ${why}; ${rest}.`;
  return { code: "worker_draining", sentence, next: null };
}

function whyUnhealthy({ unhealthy }: WorkerSeen): Telling {
  return {
    code: "worker_unhealthy",
    sentence: `cannot serve and is being ended: ${unhealthy}.`,
    next: "Mend what it reports, in its image or on the machine.",
  };
}

function whyEnded(worker: WorkerSeen, now: number): Telling {
  const { ended, endWanted, endReason, unhealthy, startedAt, served, createdAt, log } = worker;
  const { at, exitCode, signal, cause } = ended!;
  const ago = `${spanText(now - at)} ago`;
  if (startedAt === null && unhealthy !== null) {
    return {
      code: cause ?? "start_refused",
      sentence: `could not be started ${ago}: ${unhealthy.replace(/\.$/, "")}.`,
      next: cause
        ? endCauses[cause]
        : "Mend the endpoint's template; its change takes effect at once.",
    };
  }
  const lasted = spanText(at - (startedAt ?? createdAt));
  const life = `${ago} ${endedHow(ended!)}, after ${lasted} and ${counted(served, "finished job")}`;
  if (endWanted) {
    const because = unhealthy ?? endReason ?? "it was told to";
    const sentence = `ended ${life}, because ${because}.`;
    return { code: unhealthy ? "worker_unhealthy" : "worker_ended", sentence, next: null };
  }
  const said = unhealthy ?? logCause(log);
  if (cause === "out_of_memory") {
    return {
      code: cause,
      sentence: `was ended ${life}: it used more memory than it may.`,
      next: endCauses[cause],
    };
  }
  const meaning = usualMeaning(ended!);
  const verb = exitCode === null ? "ended" : "ended by itself";
  const sentence = `${verb} ${life}${said === null ? "" : ` (${said})`}.${meaning ? ` ${meaning}` : ""}`;
  const next = "Read its log and mend its image or start command.";
  if (signal !== null) return { code: "worker_killed", sentence, next };
  if (exitCode === null) return { code: "worker_vanished", sentence, next: null };
  return { code: exitCode === 0 ? "worker_exited" : "worker_crashed", sentence, next };
}
