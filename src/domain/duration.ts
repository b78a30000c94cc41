// Durations as text: "220 ms", "1.9 s", "31 s", "5 min 12 s", "3 h 5 min".

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function durationText(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10 * SECOND - 50) return `${Number((ms / SECOND).toFixed(1))} s`;
  if (ms < 2 * MINUTE - SECOND / 2) return `${Math.round(ms / SECOND)} s`;
  if (ms < 2 * HOUR - SECOND / 2) return inTwoUnits(ms, [MINUTE, "min"], [SECOND, "s"]);
  if (ms < 2 * DAY - MINUTE / 2) return inTwoUnits(ms, [HOUR, "h"], [MINUTE, "min"]);
  return inTwoUnits(ms, [DAY, "d"], [HOUR, "h"]);
}

type Unit = [ms: number, symbol: string];

function inTwoUnits(ms: number, [largeMs, large]: Unit, [smallMs, small]: Unit): string {
  const smallCount = Math.round(ms / smallMs);
  const ratio = largeMs / smallMs;
  const rest = smallCount % ratio;
  const first = `${Math.floor(smallCount / ratio)} ${large}`;
  return rest === 0 ? first : `${first} ${rest} ${small}`;
}

const units: Record<string, number> = {
  ms: 1,
  s: SECOND,
  m: MINUTE,
  min: MINUTE,
  h: HOUR,
  d: DAY,
  w: 7 * DAY,
};

/** Reads a duration such as "90s", "7d" or "1h30m"; null if it is none. */
export function parseDuration(text: string): number | null {
  if (!/^(?:\d{1,12}(?:ms|min|[smhdw]))+$/.test(text)) return null;
  const parts = text.matchAll(/(\d+)(ms|min|[smhdw])/g);
  return Array.from(parts, ([, count, unit]) => Number(count) * units[unit!]!).reduce(sum);
}

const sum = (a: number, b: number) => a + b;
