// A week, and where its reservations stand in it. Pure.

import { DAY_MS } from "../../time-units.ts";

export interface Week {
  /** "2026-11-30" */
  monday: string;
  /** The midnights from Monday's to that of the next Monday: eight instants. */
  midnights: number[];
}

/** "2026-12-07" is 7 days after "2026-11-30". */
export const addDays = (date: string, days: number) =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, "2026-11-30".length);

export const isDate = (text: string) =>
  /^2\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The week of a date; `midnightOf` is when a date begins in the time zone. */
export function weekOf(date: string, midnightOf: (date: string) => number): Week {
  const daysSinceMonday = (new Date(date).getUTCDay() + 6) % 7;
  const monday = addDays(date, -daysSinceMonday);
  const midnights = Array.from({ length: 8 }, (_, n) => midnightOf(addDays(monday, n)));
  return { monday, midnights };
}

/** Where an instant stands in the week, from 0 to 1; one before or after it stands at its edge. */
export function fractionOf({ midnights }: Week, at: number): number {
  const [start, end] = [midnights[0]!, midnights[7]!];
  return Math.min(1, Math.max(0, (at - start) / (end - start)));
}

interface Span {
  from: string;
  until: string;
}

/** Whether a part of it is in the week. */
export const isWithin = ({ midnights }: Week, { from, until }: Span) =>
  Date.parse(until) > midnights[0]! && Date.parse(from) < midnights[7]!;

/** A text takes the width of a day. */
const TEXT_WIDTH = 1 / 7;

export interface Bar<Of> {
  item: Of;
  lane: number;
  /** The part of the week that the bar takes. */
  start: number;
  end: number;
  /** The bar with its text, which stands in it, after it or before it. */
  left: number;
  right: number;
  text: "inside" | "after" | "before";
}

/** Bars that would overlap stand in lanes of their own. */
export function barsOf<Of extends Span>(items: readonly Of[], week: Week): Bar<Of>[] {
  const ends: number[] = [];
  return items
    .toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))
    .map((item) => {
      const extent = extentOf(item, week);
      const free = ends.findIndex((end) => end <= extent.left);
      const lane = free === -1 ? ends.length : free;
      ends[lane] = extent.right;
      return { item, lane, ...extent };
    });
}

function extentOf({ from, until }: Span, week: Week) {
  const [start, end] = [fractionOf(week, Date.parse(from)), fractionOf(week, Date.parse(until))];
  if (end - start >= TEXT_WIDTH) {
    return { start, end, left: start, right: end, text: "inside" as const };
  }
  return start + TEXT_WIDTH <= 1
    ? { start, end, left: start, right: start + TEXT_WIDTH, text: "after" as const }
    : { start, end, left: end - TEXT_WIDTH, right: end, text: "before" as const };
}
