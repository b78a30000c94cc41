// Cron expressions: when a schedule falls due. The library loads with the first expression.

/** The instants of an expression in its time zone. */
export interface CronTimes {
  /** The first instant after another; null if there is none. */
  next(after: number): number | null;
  /** The last instants up to `until`, the latest first; at most `most`. */
  previous(until: number, most: number): number[];
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

/** Throws a CronError. */
export async function parseCron(expression: string, timeZone: string): Promise<CronTimes> {
  requireTimeZone(timeZone);
  if (!FORM.test(expression)) {
    throw new CronError("cron", "it does not have five fields");
  }
  const { Cron } = await import("croner");
  try {
    const cron = new Cron(expression, { timezone: timeZone, paused: true, mode: "5-part" });
    return {
      next: (after) => cron.nextRun(new Date(after))?.getTime() ?? null,
      // The library leaves out the reference itself.
      previous: (until, most) =>
        cron.previousRuns(most, new Date(until + 1)).map((at) => at.getTime()),
    };
  } catch (error) {
    throw new CronError("cron", reasonOf((error as Error).message));
  }
}

/** By its name; an offset knows no daylight saving time. */
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
