// The explanation of a waiting job. It makes the same decision about the endpoint's workers as the
// autoscale loop and explains it. The first rule that applies is the answer.

import { counted } from "../../base/text/counted.ts";
import { durationText } from "../duration.ts";
import { capacity, total } from "../endpoint/fleet.ts";
import { loadingText } from "../model/loading.ts";
import type { Evidence } from "./answer.ts";
import { fairShare, noCapacity } from "./capacity.ts";
import { backingOff } from "./crash-loop.ts";
import { RESTART_ENGINE, waitsForEngine } from "./endings.ts";
import type { Explanation, QueueFacts, Reason, Rule } from "./facts.ts";
import { startingReason } from "./starting.ts";

export function explainQueue(facts: QueueFacts): Reason {
  const found = rules.reduce<Explanation | null>((first, rule) => first ?? rule(facts), null);
  const { evidence, ...reason } = found ?? inLine(facts);
  return { ...reason, evidence: { ...countsOf(facts), ...evidence } };
}

function countsOf({ fleet, plan, ahead }: QueueFacts): Evidence {
  const { starting, idle, busy, draining, unhealthy, ...queue } = plan.reason.facts;
  const { waiting, waitingLowPriority, oldestWaitingMs } = queue;
  const { workersMax } = fleet.policy;
  return {
    ...(ahead > 0 && { jobsAhead: ahead }),
    queue: { waiting, waitingLowPriority, oldestWaitingMs },
    workers: { starting, idle, busy, draining, unhealthy, workersMax },
  };
}

const deleted: Rule = (facts) =>
  facts.deleted
    ? {
        code: "endpoint_deleted",
        sentence: "its endpoint was deleted, and its queue is being emptied.",
        next: null,
      }
    : null;

const unpaid: Rule = ({ paused }) => {
  if (paused === null) return null;
  if (paused.code === "no_credits") {
    const { lacks } = paused;
    const sentence =
      lacks === undefined
        ? "the account has no credits left, so no worker is started."
        : `no further worker is started. ${lacks}`;
    return {
      code: "no_credits",
      sentence,
      next: "Add credits. Jobs wait until their time to live expires.",
    };
  }
  if (paused.code === "quota_exceeded") {
    return {
      code: "quota_exceeded",
      sentence: `no further worker is started. ${paused.lacks}`,
      next: "Free what is held, or have the limit raised. Jobs wait until their time to live expires.",
    };
  }
  const until = new Date(paused.until).toISOString();
  return {
    code: "budget_spent",
    sentence: `${paused.what}, so no worker is started before ${until}.`,
    next: "Raise the budget's limit, or wait. Jobs wait until their time to live expires.",
  };
};

const paused: Rule = ({ fleet }) =>
  fleet.policy.workersMax === 0
    ? {
        code: "no_workers_allowed",
        sentence: "the endpoint may have no workers: its workersMax is 0.",
        next: "Set the endpoint's workersMax to 1 or more.",
      }
    : null;

const driverMissing: Rule = ({ driver, plan }) =>
  !driver.here && (plan.start > 0 || capacity(plan.reason.facts) === 0)
    ? {
        code: "driver_missing",
        sentence: `its template needs the driver "${driver.name}", which this service does not offer.`,
        next: "Offer the driver (FREEHOLD_DRIVERS), or name another one in the template.",
      }
    : null;

const volumeUnavailable: Rule = ({ mountable, plan }) =>
  !mountable && (plan.start > 0 || capacity(plan.reason.facts) === 0)
    ? {
        code: "volume_away",
        sentence: "no online machine has its network volume or is in the volume's data center.",
        next: "Bring the machine that has the volume back online, or give the endpoint another volume.",
      }
    : null;

const ready: Rule = ({ plan, ahead }) => {
  const { idle } = plan.reason.facts;
  if (ahead >= idle) return null;
  return {
    code: "worker_ready",
    sentence:
      idle === 1
        ? "1 worker is idle and about to take a job."
        : `${idle} workers are idle and about to take jobs.`,
    next: "Wait. If this lasts, the worker does not ask for jobs: read its log.",
  };
};

const starting: Rule = (facts) => {
  const { fleet, plan, ahead, log, loading, serving, starting: first, silentMachine } = facts;
  const { idle } = plan.reason.facts;
  const coming = fleet.workers.filter(({ state }) => state === "starting");
  if (!first || ahead >= idle + coming.length) return null;
  if (silentMachine) {
    const sentence = `worker ${first.id} ${waitsForEngine(silentMachine)}.`;
    return { code: "engine_silent", sentence, next: RESTART_ENGINE };
  }
  if (loading) {
    const sentence = `worker ${first.id} ${loadingText(loading)}.`;
    return { code: "model_downloading", sentence, next: null };
  }
  const { code, text } = startingReason(first, fleet.now);
  const isServing = serving !== undefined && first.startedAt !== null;
  const age = durationText(fleet.now - (first.startedAt ?? first.createdAt));
  return {
    code,
    sentence: isServing
      ? `worker ${first.id} was started ${age} ago; it ${serving.finding ?? NOT_CHECKED}.`
      : `worker ${first.id} ${text}.`,
    next: isServing ? CHECK_PORTS : WAIT_FOR_START,
    ...(log?.workerId === first.id && log.lines.length > 0 && { evidence: { log } }),
  };
};

export const WAIT_FOR_START = "Wait for it; if it takes long, read its log.";
/** The end of a sentence about a worker. */
export const NOT_CHECKED = "has not answered a health check yet";
export const CHECK_PORTS =
  "Wait for it. If it takes long, compare PORT, PORT_HEALTH and HEALTH_CHECK_PATH of its template with what its server listens on.";

const startPending: Rule = ({ plan }) =>
  plan.start > 0
    ? {
        code: "worker_asked",
        sentence: `${counted(plan.start, "more worker")} ${plan.start === 1 ? "is" : "are"} about to be started.`,
        next: null,
      }
    : null;

const lowPriority: Rule = ({ lowPriority: low, plan }) => {
  const { busy, waiting, waitingLowPriority } = plan.reason.facts;
  const nothingElse = waiting === 0 && waitingLowPriority > 0;
  if (!low && !nothingElse) return null;
  const state = busy === 0 ? "the endpoint has none" : busyText(busy);
  return {
    code: "low_priority",
    sentence: `jobs of low priority never add a worker, and ${state}.`,
    next: "Submit without policy.lowPriority, or set the endpoint's workersMin to 1 or more.",
  };
};

const busyText = (busy: number) =>
  busy === 1 ? "the endpoint's only worker is busy" : `the endpoint's ${busy} workers are busy`;

const satisfied: Rule = ({ fleet, plan }) => {
  const { scalerType, scalerValue } = fleet.policy;
  const { busy, desired } = plan.reason.facts;
  if (scalerType !== "REQUEST_COUNT" || desired > capacity(plan.reason.facts)) return null;
  return {
    code: "scaler_satisfied",
    sentence:
      `the scaler starts one worker for every ${counted(scalerValue, "job")} (REQUEST_COUNT), so ` +
      `${counted(busy, "busy worker")} ${busy === 1 ? "is" : "are"} enough.`,
    next: `Wait, or lower the endpoint's scalerValue (now ${scalerValue}).`,
  };
};

const atWorkersMax: Rule = ({ fleet, plan }) => {
  const { workersMax } = fleet.policy;
  const { busy, draining, unhealthy } = plan.reason.facts;
  if (total(plan.reason.facts) < workersMax) return null;
  const leaving = draining + unhealthy;
  if (leaving > 0) {
    return {
      code: "workers_leaving",
      sentence:
        `${counted(leaving, "worker")} ${leaving === 1 ? "is still ending and counts" : "are still ending and count"} ` +
        `against workersMax (${workersMax}).`,
      next: "Wait for them to finish their jobs, or raise the endpoint's workersMax.",
    };
  }
  return {
    code: "workers_busy",
    sentence: `${busyText(busy)}, and workersMax is ${workersMax}.`,
    next: "Wait, or raise the endpoint's workersMax.",
  };
};

const delayed: Rule = ({ fleet, plan }) => {
  if (plan.reason.code !== "delay_running") return null;
  const { busy } = plan.reason.facts;
  const left = plan.wakeAt === null ? "" : `, which is in ${durationText(plan.wakeAt - fleet.now)}`;
  return {
    code: "scaler_delay",
    sentence:
      `${busyText(busy)}; the scaler adds one once a job has waited ` +
      `${durationText(fleet.policy.scalerValue * 1_000)} (QUEUE_DELAY)${left}.`,
    next: `Wait, or lower the endpoint's scalerValue (now ${fleet.policy.scalerValue}).`,
  };
};

export const rolling: Rule = ({ plan }) => {
  const { outdated } = plan.reason.facts;
  if (outdated === 0) return null;
  return {
    code: "rolling_out",
    sentence: `${counted(outdated, "worker")} of an older version ${outdated === 1 ? "is" : "are"} being replaced.`,
    next: null,
  };
};

function inLine({ ahead }: QueueFacts): Explanation {
  const sentence =
    ahead === 0
      ? "it is first in the queue, and the next free worker takes it."
      : `${counted(ahead, "job")} ${ahead === 1 ? "is" : "are"} ahead of it.`;
  return { code: "in_line", sentence, next: null };
}

const rules: Rule[] = [
  deleted,
  unpaid,
  paused,
  driverMissing,
  volumeUnavailable,
  backingOff,
  ready,
  starting,
  fairShare,
  noCapacity,
  startPending,
  lowPriority,
  satisfied,
  atWorkersMax,
  delayed,
  rolling,
];
