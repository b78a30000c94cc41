// A worker that ends before it has done anything will most likely do so again. The brake spaces the
// next tries out, 1 s doubling to 60 s, and names the state so that it can be told from a lack of
// capacity. It never gives up: the cause may lie outside and pass.

/** How a worker of an endpoint ended; exit code and signal are evidence and decide nothing. */
export interface WorkerEnd {
  version: number;
  endedAt: number;
  exitCode: number | null;
  signal: string | null;
  /** Jobs it finished. */
  served: number;
  lifeMs: number;
  /** True if we asked it to end. */
  wanted: boolean;
}

export interface Brake {
  /** No worker may be started before this instant; 0 if any time will do. */
  allowStartAt: number;
  /** Tries in a row that came to nothing. */
  consecutive: number;
  verdict: "ok" | "backing_off" | "crash_loop";
}

export interface BrakeInput<End extends WorkerEnd = WorkerEnd> {
  /** The endpoint's version: what earlier versions did says nothing about this one. */
  version: number;
  /** Recent ends in any order, of any version. */
  ends: readonly End[];
  /** When a worker of this version, ended or alive, last finished a job. */
  lastServedAt: number | null;
  backOff?: { firstMs: number; longestMs: number };
}

export const defaultBackOff = { firstMs: 1_000, longestMs: 60_000 };

/** This many tries in a row that came to nothing are called a crash loop. */
const CRASH_LOOP_TRIES = 3;

export function decideBrake(input: BrakeInput): Brake {
  const { firstMs, longestMs } = input.backOff ?? defaultBackOff;
  const { tries, lastEndedAt } = failedTries(input);
  if (tries === 0) return { allowStartAt: 0, consecutive: 0, verdict: "ok" };
  return {
    allowStartAt: lastEndedAt + Math.min(longestMs, firstMs * 2 ** (tries - 1)),
    consecutive: tries,
    verdict: tries >= CRASH_LOOP_TRIES ? "crash_loop" : "backing_off",
  };
}

/** The ends that count against a version, the earliest first. */
export function failuresOf<End extends WorkerEnd>(input: BrakeInput<End>): End[] {
  const { version, ends, lastServedAt } = input;
  const provenAt = Math.max(
    lastServedAt ?? -Infinity,
    ...ends.filter((end) => end.version === version && end.served > 0).map((end) => end.endedAt),
  );
  return ends
    .filter((end) => end.version === version && !end.wanted && end.served === 0)
    .filter((end) => end.endedAt > provenAt)
    .sort((a, b) => a.endedAt - b.endedAt);
}

/** Workers that were already starting when a try failed belong to that try: ten that were started
 * together and die together are one piece of news, not ten. */
function failedTries(input: BrakeInput) {
  const failures = failuresOf(input);
  let tries = 0;
  let failedAt = -Infinity;
  for (const { endedAt, lifeMs } of failures) {
    if (endedAt - lifeMs < failedAt) continue;
    tries += 1;
    failedAt = endedAt;
  }
  return { tries, lastEndedAt: failures.at(-1)?.endedAt ?? 0 };
}

/** How many workers may be started now. While the brake is on and no worker of the version is ready
 * to prove it wrong, one try at a time. */
export function permittedStarts(
  brake: Brake,
  now: number,
  current: { starting: number; idle: number; busy: number },
): number {
  if (now < brake.allowStartAt) return 0;
  if (brake.verdict === "ok" || current.idle + current.busy > 0) return Infinity;
  return Math.max(0, 1 - current.starting);
}
