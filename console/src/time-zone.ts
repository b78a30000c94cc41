// The time zone of all times, as the person chose it in this browser: the browser's own, UTC or a named one.

import { useSyncExternalStore } from "react";
import { MINUTE_MS } from "./time-units.ts";

/** "local", or the IANA name of a zone, "UTC" among them. */
type ZoneChoice = string;

const STORAGE_KEY = "freehold_time_zone";
const listeners = new Set<() => void>();
let choice = readChoice();

function readChoice(): ZoneChoice {
  const stored = localStorage.getItem(STORAGE_KEY);
  return stored !== null && isZone(stored) ? stored : "local";
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false; // a zone that this browser does not know
  }
}

export function chooseTimeZone(next: ZoneChoice): void {
  if (next === "local") localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, next);
  choice = readChoice();
  for (const listener of listeners) listener();
}

export function useTimeZoneChoice(): ZoneChoice {
  return useSyncExternalStore(subscribe, () => choice);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The browser's own zone: "Europe/Berlin". */
export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** The name of the zone in use. */
export const zoneName = () => (choice === "local" ? browserZone() : choice);

/** How far the clocks of the zone are ahead of UTC at an instant. */
export function zoneOffsetMs(at: number): number {
  if (choice === "UTC") return 0;
  if (choice === "local") return -new Date(at).getTimezoneOffset() * MINUTE_MS;
  return wallTime(at) - Math.floor(at / 1_000) * 1_000;
}

/** What the clocks of the zone show, as if they were in UTC. */
function wallTime(at: number): number {
  const texts = formatterOf(choice).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(texts.find((each) => each.type === type)!.value);
  const [year, month, day] = [part("year"), part("month"), part("day")];
  return Date.UTC(year, month - 1, day, part("hour"), part("minute"), part("second"));
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    const two = "2-digit";
    formatter = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** The value of a datetime-local input in the zone, to the minute. */
export function toLocalInput(instant: string | undefined): string {
  if (!instant) return "";
  const at = Date.parse(instant);
  return new Date(at + zoneOffsetMs(at)).toISOString().slice(0, 16);
}

/** The instant of a datetime-local input in the zone. */
export function instantOf(local: string): string {
  const wall = Date.parse(`${local}Z`);
  // The offset at the instant itself, which another offset before a change of the clocks may hide.
  const guess = wall - zoneOffsetMs(wall);
  return new Date(wall - zoneOffsetMs(guess)).toISOString();
}
