// Reads a time as a person writes it, such as "tomorrow 09:00", in the time zone of the terminal. Pure.

import { parseDuration } from "../../../domain/duration.ts";

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** Null if it is none. A day of the week and a time without a day are the next ones. */
export function parseTime(text: string, now: number): number | null {
  const word = text.trim().toLowerCase();
  if (word === "now") return now;
  const span = parseDuration(word.replace(/^(?:in |\+)\s*/, ""));
  if (span !== null) return now + span;
  if (/^\d{4}-\d{2}-\d{2}$/.test(word)) return parseTime(`${word} 00:00`, now);
  const iso = /^\d{4}-\d{2}-\d{2}[t ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:\d{2})?$/;
  if (iso.test(word)) return instantOf(word);
  const parts = /^(?:([a-z]+)(?:\s+|$))?(?:(\d{1,2}):(\d{2}))?$/.exec(word);
  if (!parts || word === "") return null;
  const [, day, hour = "0", minute = "0"] = parts;
  if (Number(hour) > 23 || Number(minute) > 59) return null;
  return atDay(day, Number(hour), Number(minute), now);
}

/** "2027-02-30" is no day, although `Date` reads it as 2 March. */
function instantOf(word: string): number | null {
  const [, date, time] = /^(\S{10})[t ](.*)$/.exec(word)!;
  const hour = time!.indexOf(":") === 1 ? `0${time}` : time!;
  const day = new Date(`${date}T00:00:00Z`);
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date!);
  const at = Date.parse(`${date}T${hour.toUpperCase()}`);
  return isDay && !Number.isNaN(at) ? at : null;
}

function atDay(day: string | undefined, hour: number, minute: number, now: number): number | null {
  const at = new Date(now);
  const on = (days: number) =>
    new Date(at.getFullYear(), at.getMonth(), at.getDate() + days, hour, minute).getTime();
  if (day === "today") return on(0);
  if (day === "tomorrow") return on(1);
  if (day === undefined) return on(0) > now ? on(0) : on(1);
  const index = weekdays.indexOf(day);
  if (index < 0) return null;
  const days = (index - at.getDay() + 7) % 7;
  return on(days) > now ? on(days) : on(days + 7);
}
