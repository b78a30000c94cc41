// The behavior of a simulated workload and the arguments that configure it. One table holds every trait;
// docs/simulated-driver.md shows the same table, and a test compares them.

import { StartRefused } from "../../driver.ts";

const MALFORMED = ["text", "null", "empty", "bare", "nan", "wrong-job"] as const;
export type Malformed = (typeof MALFORMED)[number];

export interface Behavior {
  pullMs: number;
  startMs: number;
  jobMs: number;
  concurrency: number;
  echo: boolean;
  stream: number;
  progress: number;
  failEvery: number;
  loseEvery: number;
  malformedEvery: number;
  malformedAs: Malformed;
  postTwice: boolean;
  refreshEvery: number;
  unhealthy: boolean;
  crashAtStart: boolean;
  crashDuring: number;
  crashAfter: number;
  exitAfterMs: number;
  exitCode: number;
  silent: boolean;
  silentAfter: number | null;
  noPings: boolean;
  ignoreStop: boolean;
  stopMs: number;
  ignoreCancel: boolean;
  cpuPercent: number;
  gpuPercent: number | null;
  memoryMb: number;
  diskMb: number;
  volumeMb: number;
  claimId: string | null;
  sdkVersion: string;
  noWeb: boolean;
  webMs: number;
}

type ValueType = "nothing" | "ms" | "count" | "exit code" | "text" | readonly string[];

interface Trait {
  takes: ValueType;
  min?: number;
  /** The value without the argument. */
  default: Behavior[keyof Behavior];
  /** What the worker does. */
  description: string;
}

export const TRAITS: { [Name in keyof Behavior]: Trait & { default: Behavior[Name] } } = {
  pullMs: {
    takes: "ms",
    default: 0,
    description: "pulls its image this long before it is started",
  },
  startMs: { takes: "ms", default: 0, description: "runs this long before its first call" },
  jobMs: { takes: "ms", default: 0, description: "works this long on a job" },
  concurrency: { takes: "count", min: 1, default: 1, description: "holds up to this many jobs" },
  echo: { takes: "nothing", default: false, description: "answers with the job's input" },
  stream: { takes: "count", default: 0, description: "posts this many chunks before the result" },
  progress: { takes: "count", default: 0, description: "reports progress this many times" },
  failEvery: {
    takes: "count",
    default: 0,
    description: "posts an error instead of the result of every nth job",
  },
  loseEvery: { takes: "count", default: 0, description: "never posts the result of every nth job" },
  malformedEvery: {
    takes: "count",
    default: 0,
    description: "posts a malformed result for every nth job",
  },
  malformedAs: { takes: MALFORMED, default: "text", description: "the kind of malformed result" },
  postTwice: { takes: "nothing", default: false, description: "posts every result twice" },
  refreshEvery: {
    takes: "count",
    default: 0,
    description: "asks to be replaced after every nth job",
  },
  unhealthy: {
    takes: "nothing",
    default: false,
    description: "fails its self-test, reports that and ends",
  },
  crashAtStart: { takes: "nothing", default: false, description: "ends before its first call" },
  crashDuring: { takes: "count", default: 0, description: "ends in the middle of its nth job" },
  crashAfter: { takes: "count", default: 0, description: "ends after this many results" },
  exitAfterMs: { takes: "ms", default: 0, description: "ends this long after it was started" },
  exitCode: { takes: "exit code", default: 1, description: "the exit code when it ends by itself" },
  silent: {
    takes: "nothing",
    default: false,
    description: "makes no calls and finishes no job, but keeps running",
  },
  silentAfter: {
    takes: "count",
    default: null,
    description: "falls silent with a job in hand after this many jobs",
  },
  noPings: { takes: "nothing", default: false, description: "works, but never pings" },
  ignoreStop: { takes: "nothing", default: false, description: "ignores SIGTERM" },
  stopMs: { takes: "ms", default: 0, description: "ends this long after SIGTERM and its last job" },
  ignoreCancel: { takes: "nothing", default: false, description: "never polls for jobs to stop" },
  cpuPercent: {
    takes: "count",
    default: 0,
    description: "reports this use of one CPU, in percent",
  },
  gpuPercent: {
    takes: "count",
    default: null,
    description: "reports this load of each of its GPUs, which are not measured without it",
  },
  memoryMb: { takes: "count", default: 0, description: "reports this use of memory" },
  diskMb: {
    takes: "count",
    default: 0,
    description: "reports this much data on its container disk",
  },
  volumeMb: { takes: "count", default: 0, description: "reports this much data in each volume" },
  claimId: { takes: "text", default: null, description: "sends this worker id in all its calls" },
  sdkVersion: {
    takes: "text",
    default: "1.12.0",
    description: "sends this SDK version in its pings",
  },
  noWeb: { takes: "nothing", default: false, description: "listens on none of its HTTP ports" },
  webMs: { takes: "ms", default: 0, description: "answers an HTTP request after this long" },
};

const names = Object.keys(TRAITS) as (keyof Behavior)[];

export const defaultBehavior: Behavior = Object.fromEntries(
  names.map((name) => [name, TRAITS[name].default]),
) as unknown as Behavior;

/** An image whose program is not known. */
export const imageBehavior: Behavior = { ...defaultBehavior, echo: true, jobMs: 100 };

/** The program whose arguments set the behavior; the second name is that of earlier versions. */
const PROGRAMS = ["simulate", "fake-worker"];

export const setsBehavior = ([program]: readonly string[]) => PROGRAMS.includes(program ?? "");

/** `jobMs` is `--job-ms`. */
export function argumentOf(name: keyof Behavior): string {
  return `--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
}

/** Reads `["simulate", "--job-ms", "200", "--echo"]`. */
export function readBehavior(
  command: readonly string[],
  defaults: { program: Behavior; image: Behavior },
): Behavior {
  if (!setsBehavior(command)) return defaults.image;
  return readArguments(command.slice(1), defaults.program);
}

function readArguments(args: string[], defaults: Behavior): Behavior {
  const behavior: Behavior = { ...defaults };
  for (let at = 0; at < args.length; at++) {
    const name = names.find((one) => argumentOf(one) === args[at]);
    if (!name) refuse(`${JSON.stringify(args[at])} is not an argument of a simulated worker.`);
    const { takes } = TRAITS[name];
    const value = takes === "nothing" ? true : readValue(name, args[++at]);
    Object.assign(behavior, { [name]: value });
  }
  return behavior;
}

function readValue(name: keyof Behavior, text: string | undefined): number | string {
  const { takes, min = 0 } = TRAITS[name];
  const refuseValue = (expected: string): never =>
    refuse(
      `${argumentOf(name)} takes ${expected}, not ${text ? JSON.stringify(text) : "nothing"}.`,
    );
  if (text === undefined || text === "") return refuseValue("a value");
  if (takes === "text") return text;
  if (typeof takes === "object") {
    return takes.includes(text) ? text : refuseValue(`one of ${takes.join(", ")}`);
  }
  const max = takes === "exit code" ? 255 : Number.MAX_SAFE_INTEGER;
  const number = /^\d+$/.test(text) ? Number(text) : -1;
  if (number < min || number > max) {
    return refuseValue(`a whole number from ${min}${takes === "exit code" ? " to 255" : ""}`);
  }
  return number;
}

function refuse(sentence: string): never {
  throw new StartRefused(`The start command of the simulated worker is wrong: ${sentence}`);
}
