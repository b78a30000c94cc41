// How a fake worker acts, and the arguments that say so. One table holds every trait: its argument,
// what it takes and what it does; docs/fake-driver.md shows the same table, and a test compares.
import { StartRefused } from "../driver.ts";

export const MALFORMED = ["text", "null", "empty", "bare", "nan", "wrong-job"] as const;
export type Malformed = (typeof MALFORMED)[number];

export interface Behaviour {
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
  memoryMb: number;
  diskMb: number;
  volumeMb: number;
  claimId: string | null;
  sdkVersion: string;
  noWeb: boolean;
  webMs: number;
}

type Takes = "nothing" | "ms" | "count" | "exit code" | "text" | readonly string[];

interface Trait {
  takes: Takes;
  least?: number;
  /** The behaviour without the argument. */
  usual: Behaviour[keyof Behaviour];
  does: string;
}

export const TRAITS: { [Name in keyof Behaviour]: Trait & { usual: Behaviour[Name] } } = {
  startMs: { takes: "ms", usual: 0, does: "runs this long before its first call" },
  jobMs: { takes: "ms", usual: 0, does: "works this long on a job" },
  concurrency: { takes: "count", least: 1, usual: 1, does: "holds up to this many jobs" },
  echo: { takes: "nothing", usual: false, does: "answers with the job's input" },
  stream: { takes: "count", usual: 0, does: "posts this many chunks before the result" },
  progress: { takes: "count", usual: 0, does: "reports progress this many times" },
  failEvery: { takes: "count", usual: 0, does: "every so many jobs, posts an error" },
  loseEvery: { takes: "count", usual: 0, does: "every so many jobs, never posts the result" },
  malformedEvery: { takes: "count", usual: 0, does: "every so many jobs, posts a wrong result" },
  malformedAs: { takes: MALFORMED, usual: "text", does: "what is wrong with that result" },
  postTwice: { takes: "nothing", usual: false, does: "posts every result twice" },
  refreshEvery: { takes: "count", usual: 0, does: "every so many jobs, asks to be replaced" },
  unhealthy: { takes: "nothing", usual: false, does: "fails its self-test, says so and ends" },
  crashAtStart: { takes: "nothing", usual: false, does: "ends before its first call" },
  crashDuring: { takes: "count", usual: 0, does: "ends in the middle of this job" },
  crashAfter: { takes: "count", usual: 0, does: "ends after this many results" },
  exitAfterMs: { takes: "ms", usual: 0, does: "ends this long after it was started" },
  exitCode: { takes: "exit code", usual: 1, does: "the code of every end named above" },
  silent: { takes: "nothing", usual: false, does: "makes no call, finishes nothing, still runs" },
  silentAfter: { takes: "count", usual: null, does: "falls silent holding the job after so many" },
  noPings: { takes: "nothing", usual: false, does: "works, but never pings" },
  ignoreStop: { takes: "nothing", usual: false, does: "ignores SIGTERM" },
  stopMs: { takes: "ms", usual: 0, does: "ends this long after SIGTERM and its last job" },
  ignoreCancel: { takes: "nothing", usual: false, does: "never asks which jobs to stop" },
  cpuPercent: { takes: "count", usual: 0, does: "says that it uses so much of one CPU" },
  memoryMb: { takes: "count", usual: 0, does: "says that it uses this much memory" },
  diskMb: { takes: "count", usual: 0, does: "says that it has this much on its own disk" },
  volumeMb: { takes: "count", usual: 0, does: "says that it has this much in each volume" },
  claimId: { takes: "text", usual: null, does: "names this worker id in all its calls" },
  sdkVersion: { takes: "text", usual: "1.12.0", does: "the version that its pings name" },
  noWeb: { takes: "nothing", usual: false, does: "listens on none of its http ports" },
  webMs: { takes: "ms", usual: 0, does: "answers on an http port so long after it was asked" },
};

const names = Object.keys(TRAITS) as (keyof Behaviour)[];

export const wellBehaved = Object.fromEntries(
  names.map((name) => [name, TRAITS[name].usual]),
) as unknown as Behaviour;

/** `jobMs` is `--job-ms`. */
export function argumentOf(name: keyof Behaviour): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Reads `["fake-worker", "--job-ms", "200", "--echo"]`, with the program's name or without. Another
 * program's command says nothing about behaviour, and so the worker behaves as it usually does.
 */
export function readBehaviour(command: string[], usual: Behaviour): Behaviour {
  const [program, ...rest] = command;
  if (program === undefined) return usual;
  if (program === "fake-worker") return readArguments(rest, usual);
  return program.startsWith("--") ? readArguments(command, usual) : usual;
}

function readArguments(given: string[], usual: Behaviour): Behaviour {
  const behaviour: Behaviour = { ...usual };
  for (let at = 0; at < given.length; at++) {
    const name = names.find((one) => argumentOf(one) === given[at]);
    if (!name) refuse(`${JSON.stringify(given[at])} is no argument of a fake worker.`);
    const { takes } = TRAITS[name];
    const value = takes === "nothing" ? true : readValue(name, given[++at]);
    Object.assign(behaviour, { [name]: value });
  }
  return behaviour;
}

function readValue(name: keyof Behaviour, text: string | undefined): number | string {
  const { takes, least = 0 } = TRAITS[name];
  const wants = (what: string): never =>
    refuse(`${argumentOf(name)} takes ${what}, not ${text ? JSON.stringify(text) : "nothing"}.`);
  if (text === undefined || text === "") return wants("a value");
  if (takes === "text") return text;
  if (typeof takes === "object") {
    return takes.includes(text) ? text : wants(`one of ${takes.join(", ")}`);
  }
  const most = takes === "exit code" ? 255 : Number.MAX_SAFE_INTEGER;
  const number = /^\d+$/.test(text) ? Number(text) : -1;
  if (number < least || number > most) {
    return wants(`a whole number from ${least}${takes === "exit code" ? " to 255" : ""}`);
  }
  return number;
}

function refuse(sentence: string): never {
  throw new StartRefused(`The start command of the fake worker is wrong: ${sentence}`);
}
