// Fleets for tests: a short notation, so that tables of examples are readable, and an
// arbitrary for properties.
//
//   scaler    "QUEUE_DELAY 4, 0-3, idle 5"         scaler and value, workersMin-Max, idleTimeout
//   queue     "2 wait 6s, 1 low, 3 run, 1 lowrun"  or "-"
//   workers   "idle@3 busy v1/idle@70 starting@1"  named a, b, c ...; seconds in that state
//   backOff   "ok", "backing_off 3s", "crash_loop -1s"   until a start is allowed
//   plan      "start 1, drain a:idle, queue_delay, wake 4s"
import fc from "fast-check";
import type { Fleet, FleetWorker } from "../../src/domain/endpoint/fleet.ts";
import type { FleetPlan } from "../../src/domain/endpoint/fleet-plan.ts";

const now = 1_800_000_000_000;
const currentVersion = 3;

export interface FleetRow {
  scaler: string;
  queue: string;
  workers: string;
  backOff: string;
}

/** The rows of a table whose columns are parted by "|"; its first row names them. */
export function ledger<Row>(table: string): Row[] {
  const lines = table.split("\n").filter((line) => line.includes("|"));
  const [names, ...rows] = lines.map((line) => line.split("|").map((cell) => cell.trim()));
  return rows.map((cells) => Object.fromEntries(names!.map((n, i) => [n, cells[i]])) as Row);
}

export function fleetOf({ scaler, queue, workers, backOff = "ok" }: Partial<FleetRow>): Fleet {
  const [, type, value, min, max, idle] =
    /^(\w+) ([\d.]+), (\d+)-(\d+), idle (\d+)$/.exec(scaler ?? "QUEUE_DELAY 4, 0-3, idle 5") ??
    fail(`scaler ${scaler}`);
  const [verdict, allowed] = backOff.split(" ");
  const count = (word: string) => {
    return Number(new RegExp(`(\\d+) ${word}\\b`).exec(queue ?? "")?.[1] ?? 0);
  };
  const oldestS = /wait (\d+)s/.exec(queue ?? "")?.[1];
  return {
    version: currentVersion,
    policy: {
      workersMin: Number(min),
      workersMax: Number(max),
      scalerType: type as "QUEUE_DELAY",
      scalerValue: Number(value),
      idleTimeoutS: Number(idle),
    },
    queue: {
      waiting: count("wait"),
      waitingLowPriority: count("low"),
      oldestWaitingAt: oldestS ? now - Number(oldestS) * 1_000 : null,
      inProgress: count("run"),
      inProgressLowPriority: count("lowrun"),
    },
    workers: (workers ?? "").match(/\S*[a-z]\S*/g)?.map(workerOf) ?? [],
    backOff: {
      allowStartAt: allowed ? now + Number.parseFloat(allowed) * 1_000 : 0,
      consecutive: verdict === "ok" ? 0 : verdict === "crash_loop" ? 3 : 1,
      verdict: verdict as "ok",
    },
    now,
  };
}

/** Workers come in the order of their start; what is not said happened long ago. */
function workerOf(text: string, index: number): FleetWorker {
  const [, version, state, ageS] =
    /^(?:v(\d+)\/)?([a-z]+)(?:@([\d.]+))?$/.exec(text) ?? fail(`worker ${text}`);
  const since = ageS ? now - Number(ageS) * 1_000 : null;
  const startedAt = now - 1_000_000 + index * 1_000;
  return {
    id: String.fromCharCode(97 + index),
    version: Number(version ?? currentVersion),
    state: state as FleetWorker["state"],
    startedAt: state === "starting" ? (since ?? startedAt) : startedAt,
    readyAt: state === "starting" ? null : startedAt + 500,
    idleSince: state === "idle" ? since : null,
  };
}

export function planText(plan: Pick<FleetPlan, "start" | "drain" | "wakeAt">, code: string) {
  const parts = [code];
  if (plan.drain.length > 0) {
    parts.unshift(`drain ${plan.drain.map(({ id, why }) => `${id}:${why}`).join(" ")}`);
  }
  if (plan.start > 0) parts.unshift(`start ${plan.start}`);
  if (plan.wakeAt !== null) parts.push(`wake ${(plan.wakeAt - now) / 1_000}s`);
  return parts.join(", ");
}

function fail(what: string): never {
  throw new Error(`no such notation: ${what}`);
}

const seconds = (longest: number) =>
  fc.integer({ min: 0, max: longest * 4 }).map((quarters) => quarters * 250);

const anyWorker = fc.record({
  version: fc.constantFrom(3, 3, 3, 2, 1),
  state: fc.constantFrom("starting", "idle", "idle", "busy", "busy", "draining", "unhealthy"),
  startedMsAgo: seconds(100).map((ms) => 100_000 + ms),
  idleMs: fc.option(seconds(20)),
});

/** Any state an endpoint can be in, on a grid of quarter seconds so that edges are met. */
export const anyFleet: fc.Arbitrary<Fleet> = fc
  .record({
    workersMin: fc.integer({ min: 0, max: 3 }),
    aboveMin: fc.integer({ min: -1, max: 4 }),
    scalerType: fc.constantFrom("QUEUE_DELAY", "REQUEST_COUNT"),
    scalerValue: fc.integer({ min: 1, max: 5 }),
    idleTimeoutS: fc.integer({ min: 1, max: 15 }),
    waiting: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })),
    waitingLowPriority: fc.constantFrom(0, 0, 1, 3),
    waitedMs: seconds(10),
    inProgress: fc.integer({ min: 0, max: 9 }),
    inProgressLowPriority: fc.constantFrom(0, 0, 1, 4),
    workers: fc.array(anyWorker, { maxLength: 7 }),
    verdict: fc.constantFrom("ok", "ok", "backing_off", "crash_loop"),
    heldMs: seconds(5),
  })
  .map((any) => {
    const busy = any.workers.some((worker) => worker.state === "busy");
    return {
      version: currentVersion,
      policy: {
        workersMin: any.workersMin,
        workersMax: Math.max(0, any.workersMin + any.aboveMin),
        scalerType: any.scalerType as "QUEUE_DELAY",
        scalerValue: any.scalerValue,
        idleTimeoutS: any.idleTimeoutS,
      },
      queue: {
        waiting: any.waiting,
        waitingLowPriority: any.waitingLowPriority,
        oldestWaitingAt: any.waiting > 0 ? now - any.waitedMs : null,
        inProgress: busy ? any.inProgress : 0,
        inProgressLowPriority: busy ? any.inProgressLowPriority : 0,
      },
      workers: any.workers.map(({ version, state, startedMsAgo, idleMs }, index) => ({
        id: `w${index}`,
        version,
        state: state as "idle",
        startedAt: now - (state === "starting" ? startedMsAgo - 100_000 : startedMsAgo),
        readyAt: state === "starting" ? null : now - 50_000,
        idleSince: state === "idle" && idleMs !== null ? now - idleMs : null,
      })),
      backOff: {
        allowStartAt: any.verdict === "ok" ? 0 : now + any.heldMs - 2_000,
        consecutive: any.verdict === "ok" ? 0 : 3,
        verdict: any.verdict as "ok",
      },
      now,
    };
  });
