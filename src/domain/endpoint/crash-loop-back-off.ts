// The crash-loop back-off. A worker that ends before it has done anything will most likely do so again,
// so the next starts are spaced out, 1 s doubling to 5 minutes. The state has a name of its own, distinct from
// a lack of capacity. Starts never stop, because the cause may be external and temporary.

/** How a worker of an endpoint ended; exit code and signal are evidence and decide nothing. */
export interface WorkerEnd {
  version: number;
  endedAt: number;
  exitCode: number | null;
  signal: string | null;
  /** Jobs it finished. */
  served: number;
  lifeMs: number;
  /** True if Freehold asked it to end. */
  desired: boolean;
}

export interface BackOff {
  /** No worker may be started before this instant; 0 if starts are not delayed. */
  allowStartAt: number;
  /** Consecutive failed tries. */
  consecutive: number;
  verdict: "ok" | "backing_off" | "crash_loop";
}

export interface BackOffInput<End extends WorkerEnd = WorkerEnd> {
  /** The endpoint's version; the ends of earlier versions do not count. */
  version: number;
  /** Recent ends in any order, of any version. */
  ends: readonly End[];
  /** When a worker of this version, ended or alive, last finished a job. */
  lastServedAt: number | null;
  backOff?: { firstMs: number; longestMs: number };
}

const defaultBackOff = { firstMs: 1_000, longestMs: 300_000 };

/** This many consecutive failed tries are a crash loop. */
const CRASH_LOOP_TRIES = 3;

export function decideBackOff(input: BackOffInput): BackOff {
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
export function failuresOf<End extends WorkerEnd>(input: BackOffInput<End>): End[] {
  const { version, ends, lastServedAt } = input;
  const provenAt = Math.max(
    lastServedAt ?? -Infinity,
    ...ends.filter((end) => end.version === version && end.served > 0).map((end) => end.endedAt),
  );
  return ends
    .filter((end) => end.version === version && !end.desired && end.served === 0)
    .filter((end) => end.endedAt > provenAt)
    .sort((a, b) => a.endedAt - b.endedAt);
}

/**
 * Workers that were already starting when a try failed belong to that try: ten workers that start
 * together and end together count once.
 */
function failedTries(input: BackOffInput) {
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

/**
 * How many workers may be started now. During a back-off, without a ready worker of the version,
 * one try at a time.
 */
export function permittedStarts(
  crashBackOff: BackOff,
  now: number,
  current: { starting: number; idle: number; busy: number },
): number {
  if (now < crashBackOff.allowStartAt) return 0;
  if (crashBackOff.verdict === "ok" || current.idle + current.busy > 0) return Infinity;
  return Math.max(0, 1 - current.starting);
}
