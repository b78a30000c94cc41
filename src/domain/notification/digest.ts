// When a rule's events become a message, and how people read it. A burst becomes one message: events are
// collected for a moment, and a rule sends at most one message in an interval. Pure.

import { consolePage } from "./console-page.ts";
import type { AccountEvent } from "./event.ts";

export interface DigestTiming {
  /** How long the first event waits for others. */
  gatherMs: number;
  /** The shortest time between two messages of a rule. */
  intervalMs: number;
}

/** The most events of one message; others go with the next. */
export const MAX_EVENTS = 1_000;

/** The instant of the next message. What is stored may be later than `now`, where the clock was set back since; that delays nothing. */
export function messageAt(
  { oldestAt, notifiedAt }: { oldestAt: number; notifiedAt: number | null },
  { gatherMs, intervalMs }: DigestTiming,
  now: number,
): number {
  const gathered = oldestAt > now ? now : oldestAt + gatherMs;
  if (notifiedAt === null || notifiedAt > now) return gathered;
  return Math.max(gathered, notifiedAt + intervalMs);
}

/** The most events that a message for people lists. */
const MAX_LISTED = 20;

export interface DigestText {
  title: string;
  lines: string[];
}

/** With `origin`, the address of the console, each event has a link to its page. */
export function digestText(
  ruleName: string,
  events: readonly AccountEvent[],
  origin: string | null,
): DigestText {
  const lineOf = (event: AccountEvent) => eventLine(event, origin);
  const [first] = events;
  if (events.length === 1 && first) return { title: first.summary, lines: [lineOf(first)] };
  const kinds = Object.entries(Object.groupBy(events, ({ type }) => type));
  const counts = kinds.map(([type, some]) => `${some.length} ${type}`).join(", ");
  const more = events.length - MAX_LISTED;
  const rest = more > 0 ? [`... and ${more} more`] : [];
  const lines = [...events.slice(0, MAX_LISTED).map(lineOf), ...rest];
  return { title: `${ruleName}: ${events.length} events (${counts})`, lines };
}

function eventLine(event: AccountEvent, origin: string | null): string {
  const at = new Date(event.at).toISOString().slice(0, 19).replace("T", " ");
  const link = origin === null ? "" : ` ${consolePage(event, origin)}`;
  return `${at} UTC  ${event.summary}${link}`;
}
