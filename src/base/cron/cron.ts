// Cron expressions: when a schedule falls due. The library loads with the first expression.

import { WallClock } from "./wall-clock.ts";

/** The instants of an expression in its time zone. */
export interface CronTimes {
  /** The first instant after another; null if there is none. */
  next(after: number): number | null;
  /** The last instants up to `until`, the latest first; at most `limit`. */
  previous(until: number, limit: number): number[];
}

/** An expression or a time zone that is not valid; the message is a part of a sentence. */
export class CronError extends Error {
  readonly field: "cron" | "timeZone";

  constructor(field: CronError["field"], message: string) {
    super(message);
    this.field = field;
  }
}

/** The library also reads an ISO date, which is no cron expression. */
const FORM = /^\s*(@[a-z]+|\S+(\s+\S+){4})\s*$/i;

/** The minutes or the hours begin with a star. */
const REAL_TIME = /^\s*(?:[*?]|\S+\s+[*?]|@hourly)/i;

/** A star or a range with or without a step; a range without a step is a list already. */
const STEPS = /^([*?]|(\d+)-(\d+)(?=\/))(?:\/(\d+))?$/;

/** Throws a CronError. */
export async function parseCron(expression: string, timeZone: string): Promise<CronTimes> {
  requireTimeZone(timeZone);
  if (!FORM.test(expression)) {
    throw new CronError("cron", "it does not have five fields");
  }
  const { Cron } = await import("croner");
  try {
    const pattern = withoutInnerSteps(expression);
    const options = { paused: true, mode: "5-part", fixedTimeRule: "no-wildcard" } as const;
    const cron = new Cron(pattern, { ...options, timezone: timeZone });
    const times: CronTimes = {
      next: (after) => cron.nextRun(new Date(after))?.getTime() ?? null,
      // The library leaves out the reference itself.
      previous: (until, limit) =>
        cron.previousRuns(limit, new Date(until + 1)).map((at) => at.getTime()),
    };
    if (REAL_TIME.test(expression)) return times;
    const walls = new Cron(pattern, { ...options, timezone: "UTC" });
    return withGaps(times, new WallClock(timeZone), (wallTime) => {
      return walls.nextRun(new Date(wallTime))?.getTime() ?? null;
    });
  } catch (error) {
    throw new CronError("cron", reasonOf((error as Error).message));
  }
}

/**
 * The library forgets a time in a gap that ends at midnight, as its next day is searched from there on.
 * `nextWall` is the next time of the expression on the wall clock, whether or not it exists.
 */
function withGaps(
  times: CronTimes,
  clock: WallClock,
  nextWall: (wallTime: number) => number | null,
): CronTimes {
  const gapsBetween = function* (after: number, until: number) {
    const last = clock.wallTimeAt(until);
    let wallTime = nextWall(clock.wallTimeAt(after));
    for (; wallTime !== null && wallTime < last; wallTime = nextWall(wallTime)) {
      const gapEnd = clock.gapEnd(wallTime);
      if (gapEnd !== null && gapEnd > after && gapEnd <= until) yield gapEnd;
    }
  };
  return {
    next(after) {
      const next = times.next(after);
      if (next === null) return null;
      const { value: gapEnd = next } = gapsBetween(after, next).next();
      return Math.min(next, gapEnd);
    },
    previous(until, limit) {
      const runs = times.previous(until, limit);
      const oldest = runs.at(-1);
      if (oldest === undefined) return runs;
      const all = new Set([...runs, ...gapsBetween(oldest, until)]);
      return [...all].sort((a, b) => b - a).slice(0, limit);
    },
  };
}

/**
 * In cron an expression runs in real time across a change of the clock if its minutes or hours begin with
 * a star. The library looks for a star or a step anywhere in them, so steps elsewhere become lists.
 */
function withoutInnerSteps(expression: string): string {
  const [minutes, hours, ...days] = expression.trim().split(/\s+/);
  if (hours === undefined) return expression;
  return [withLists(minutes!, 59), withLists(hours, 23), ...days].join(" ");
}

/** Leaves what is not valid as it is, for the library to refuse. */
function withLists(field: string, last: number): string {
  if (/^[*?]/.test(field)) return field;
  const parts = field.split(",").map((part) => {
    const [, range, low = "0", high = String(last), step = "1"] = STEPS.exec(part) ?? [];
    if (range === undefined || Number(step) === 0 || Number(high) > last) return part;
    if (Number(step) > last + 1 || Number(low) > Number(high)) return part;
    const values: number[] = [];
    for (let value = Number(low); value <= Number(high); value += Number(step)) values.push(value);
    return values.join(",");
  });
  return parts.join(",");
}

/** Throws for anything but a name: an offset knows no daylight saving time. */
function requireTimeZone(timeZone: string): void {
  try {
    if (!/^[a-z]/i.test(timeZone)) throw new RangeError(timeZone);
    new Intl.DateTimeFormat("en", { timeZone });
  } catch {
    throw new CronError("timeZone", "there is no such time zone");
  }
}

/** The library's message, without its class and its end. */
function reasonOf(message: string): string {
  const text = message.replace(/^Cron\w+: /, "").replace(/\.$/, "");
  return `${text[0]!.toLowerCase()}${text.slice(1)}`;
}
