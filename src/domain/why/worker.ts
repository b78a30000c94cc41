// The explanation of a worker's state.

import { counted } from "../../base/text/counted.ts";
import { type EndCause, endCauses } from "../container/end-cause.ts";
import { durationText } from "../duration.ts";
import { loadingText, type ModelLoading } from "../model/loading.ts";
import { overdueEndText } from "../pod/container/overdue-end.ts";
import type { StartInstants } from "../worker/cold-start.ts";
import type { WorkerPhase } from "../worker/phase.ts";
import type { Answer, Evidence } from "./answer.ts";
import { exitText, RESTART_ENGINE, usualMeaning, waitsForEngine } from "./endings.ts";
import type { BareReason, ServingFacts } from "./facts.ts";
import { logCause } from "./log-cause.ts";
import { CHECK_PORTS, NOT_CHECKED, WAIT_FOR_START } from "./queue.ts";
import { startingReason } from "./starting.ts";

export interface WorkerFacts extends StartInstants {
  id: string;
  phase: WorkerPhase;
  driver: { name: string; here: boolean };
  /** The instant at which it last finished or lost a job. */
  freedAt: number | null;
  seenAt: number | null;
  /** Jobs that it finished. */
  served: number;
  /** The ids of the jobs that it holds. */
  jobs: string[];
  /** True if its end was requested. */
  desireEnd: boolean;
  endReason: string | null;
  unhealthy: string | null;
  ended: {
    at: number;
    exitCode: number | null;
    signal: string | null;
    cause?: EndCause;
  } | null;
  /** For how long it has run since it was signalled to end; null while that is not overdue. */
  overdueEndMs: number | null;
  /** The last lines of its output. */
  log: string[];
  idleTimeoutMs: number;
  startupMs: number;
  /** The machine on whose silent engine its start waits; null or absent if that answers. */
  silentMachine?: string | null;
  /** The model whose download it waits for; null or absent if it waits for none. */
  loading?: ModelLoading | null;
  /** Set for a worker of a load-balancing endpoint. */
  serving?: ServingFacts;
}

export function whyWorker(worker: WorkerFacts, now: number): Answer {
  const { code, sentence, next } =
    worker.overdueEndMs === null || worker.ended
      ? reasons[worker.phase](worker, now)
      : whyNotEnding(worker.overdueEndMs);
  return { code, sentence: `Worker ${worker.id} ${sentence}`, next, evidence: evidenceOf(worker) };
}

const reasons: Record<WorkerPhase, (worker: WorkerFacts, now: number) => BareReason> = {
  starting: whyStarting,
  idle: whyIdle,
  busy: whyBusy,
  draining: whyDraining,
  unhealthy: whyUnhealthy,
  ended: whyEnded,
};

function evidenceOf({ id, jobs, log, ended, unhealthy }: WorkerFacts): Evidence {
  const ending = ended && { workerId: id, endedAt: ended.at, ...codes(ended), unhealthy };
  return {
    ...(jobs.length > 0 && { jobs }),
    ...(ending && { ends: [ending] }),
    ...(log.length > 0 && { log: { workerId: id, lines: log } }),
  };
}

const codes = ({ exitCode, signal, cause }: NonNullable<WorkerFacts["ended"]>) => {
  return { exitCode, signal, ...(cause && { cause }) };
};

function whyStarting(worker: WorkerFacts, now: number): BareReason {
  const { driver, startedAt, startupMs, serving, loading } = worker;
  if (!driver.here) {
    return {
      code: "driver_missing",
      sentence: `cannot be started: this service does not offer the driver "${driver.name}".`,
      next: "Offer the driver (FREEHOLD_DRIVERS), or name another one in the template.",
    };
  }
  if (worker.silentMachine) {
    const sentence = `${waitsForEngine(worker.silentMachine)}.`;
    return { code: "engine_silent", sentence, next: RESTART_ENGINE };
  }
  const next = WAIT_FOR_START;
  if (startedAt === null && loading) {
    const sentence = `${loadingText(loading)}.`;
    return { code: "model_downloading", sentence, next: null };
  }
  if (serving && startedAt !== null) {
    const finding = serving.finding ?? NOT_CHECKED;
    const sentence = `was started ${durationText(now - startedAt)} ago; it ${finding}.`;
    return { code: "worker_starting", sentence, next: CHECK_PORTS };
  }
  const { code, text } = startingReason(worker, now);
  const left = startedAt === null ? "" : `; it has ${durationText(startupMs)} to do so`;
  return { code, sentence: `${text}${left}.`, next };
}

function whyIdle({ freedAt, readyAt, createdAt, seenAt, ...worker }: WorkerFacts, now: number) {
  const since = freedAt ?? readyAt ?? createdAt;
  const called = seenAt === null ? "" : ` It last called ${durationText(now - seenAt)} ago.`;
  return {
    code: "worker_idle" as const,
    sentence:
      `has been idle for ${durationText(now - since)}; it may end after ` +
      `${durationText(worker.idleTimeoutMs)} without a ${worker.serving ? "request" : "job"}.${called}`,
    next: null,
  };
}

function whyBusy({ jobs, served, seenAt, serving }: WorkerFacts, now: number): BareReason {
  const called = seenAt === null ? "" : ` It last called ${durationText(now - seenAt)} ago.`;
  const sentence = serving
    ? `has requests in flight and answered ${counted(served, "request")} before.`
    : `has ${counted(jobs.length, "job")} and finished ${served} before.${called}`;
  return { code: "worker_busy", sentence, next: null };
}

function whyDraining({ endReason, jobs }: WorkerFacts): BareReason {
  const why = endReason ?? "its end was requested";
  const rest =
    jobs.length === 0 ? "it has none left" : `it still has ${counted(jobs.length, "job")}`;
  const sentence = `takes no more jobs because ${why}; ${rest}.`;
  return { code: "worker_draining", sentence, next: null };
}

function whyNotEnding(ms: number): BareReason {
  const sentence = `is to end, but ${overdueEndText(ms)}. It is billed until it has ended.`;
  return { code: "worker_not_ending", sentence, next: RESTART_ENGINE };
}

function whyUnhealthy({ unhealthy }: WorkerFacts): BareReason {
  return {
    code: "worker_unhealthy",
    sentence: `cannot serve and is being ended: ${unhealthy}.`,
    next: "Fix what it reports, in its image or on the machine.",
  };
}

function whyEnded(worker: WorkerFacts, now: number): BareReason {
  const { ended, desireEnd, endReason, unhealthy, startedAt, served, createdAt, log } = worker;
  const { at, exitCode, signal, cause } = ended!;
  const ago = `${durationText(now - at)} ago`;
  if (startedAt === null && unhealthy !== null) {
    return {
      code: cause ?? "start_refused",
      sentence: `could not be started ${ago}: ${unhealthy.replace(/\.$/, "")}.`,
      next: cause
        ? endCauses[cause]
        : "Fix the endpoint's template; its change takes effect at once.",
    };
  }
  const lifetime = durationText(at - (startedAt ?? createdAt));
  const life = `${ago} ${exitText(ended!)}, after ${lifetime} and ${counted(served, "finished job")}`;
  if (desireEnd) {
    const because = unhealthy ?? endReason ?? "its end was requested";
    const sentence = `ended ${life}, because ${because}.`;
    return { code: unhealthy ? "worker_unhealthy" : "worker_ended", sentence, next: null };
  }
  const detail = unhealthy ?? logCause(log);
  if (cause === "out_of_memory") {
    return {
      code: cause,
      sentence: `was ended ${life}: it exceeded its memory limit.`,
      next: endCauses[cause],
    };
  }
  const meaning = usualMeaning(ended!);
  const outcome = exitCode === null ? "ended" : "ended by itself";
  const sentence = `${outcome} ${life}${detail === null ? "" : ` (${detail})`}.${meaning ? ` ${meaning}` : ""}`;
  const next = "Read its log and fix its image or start command.";
  if (signal !== null) return { code: "worker_killed", sentence, next };
  if (exitCode === null) return { code: "worker_vanished", sentence, next: null };
  return { code: exitCode === 0 ? "worker_exited" : "worker_crashed", sentence, next };
}
