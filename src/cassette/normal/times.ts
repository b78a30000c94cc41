// Instants in a cassette: a distance from the time of the call, in the form that the program used.

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/units.ts";

const TEXT =
  /\b\d{4}-\d\d-\d\d(?:T|t| )\d\d:\d\d:\d\d(?:\.\d{1,9})?(?: ?(?:Z|z|[+-]\d\d:?\d\d)(?: UTC)?)?(?![\w:.])/g;
const NOW_MS = 90_000;
const YEAR_MS = 366 * DAY_MS;
/** Members with seconds since the epoch; other numbers of that size may be anything. */
const SECONDS = /^(?:created|timestamp|exp|iat)$|(?:At|Time|Timestamp|_at)$/;

const units = { d: DAY_MS, h: HOUR_MS, m: MINUTE_MS };

/** How an instant is written. The first form that matches a text is its form. */
const forms: Record<string, { pattern: RegExp; write(iso: string): string }> = {
  "": { pattern: /T.*\.\d{3}Z$/, write: (iso) => iso },
  seconds: { pattern: /T[\d:]+Z$/, write: (iso) => iso.replace(/\.\d+Z$/, "Z") },
  offset: { pattern: /T.*[+-]\d\d:\d\d$/, write: (iso) => iso.replace(/Z$/, "+00:00") },
  go: {
    pattern: / UTC$/,
    write: (iso) => iso.replace("T", " ").replace(/Z$/, " +0000 UTC"),
  },
  space: { pattern: /\d \d/, write: (iso) => iso.replace("T", " ").replace(/Z$/, "") },
  local: { pattern: /T/, write: (iso) => iso.replace(/Z$/, "") },
};

/** `past` says whether the distance of an earlier instant is kept: a client's is, a service's is not. */
export function timesInText(text: string, now: number, past: boolean): string {
  return text.replace(TEXT, (found) => {
    const form = Object.keys(forms).find((name) => forms[name]!.pattern.test(found))!;
    const zoned = /[Zz]|[+-]\d\d:?\d\d(?: UTC)?$/.test(found);
    const at = Date.parse(
      found
        .replace(/ UTC$/, "")
        .replace(/^(\S+) /, "$1T")
        .replace(" ", "") + (zoned ? "" : "Z"),
    );
    return Number.isNaN(at) ? found : placeholder(at - now, form, past);
  });
}

/** The placeholder of a number that is an instant, or undefined. */
export function timeInNumber(
  value: number,
  member: string,
  now: number,
  past: boolean,
): string | undefined {
  if (Math.abs(value - now) < YEAR_MS) return placeholder(value - now, "epoch-ms", past);
  if (!SECONDS.test(member) || Math.abs(1_000 * value - now) > YEAR_MS) return undefined;
  return placeholder(1_000 * value - now, "epoch-s", past);
}

/** The instant of a placeholder, as text or as a number. */
export function writeTime(detail: string, now: number): string | number {
  const [, sign, count = "0", unit = "m", form = ""] =
    /^(?:([+-])(\d+)([dhm]))? ?(.*)$/.exec(detail) ?? [];
  const distance = Number(count) * units[unit as keyof typeof units];
  const at = now + (sign === "-" ? -distance : distance);
  if (form === "epoch-ms") return at;
  if (form === "epoch-s") return Math.floor(at / 1_000);
  return (forms[form] ?? forms[""]!).write(new Date(at).toISOString());
}

/** True for a whole text that is an instant. */
export const isTime = (text: string): boolean => text !== "" && text.replace(TEXT, "") === "";

/** Rounded, so that two recordings of one session have the same. */
function placeholder(distance: number, form: string, past: boolean): string {
  const size = Math.abs(distance);
  const isNow = size < NOW_MS || (distance < 0 && !past);
  const unit = size >= 2 * units.d ? "d" : size >= 2 * units.h ? "h" : "m";
  const offset = `${distance < 0 ? "-" : "+"}${Math.round(size / units[unit])}${unit}`;
  const detail = [isNow ? "" : offset, form].filter(Boolean).join(" ");
  return detail === "" ? "{{time}}" : `{{time ${detail}}}`;
}
