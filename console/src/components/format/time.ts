// Instants as text: ISO date and 24-hour time, in the time zone that the person chose.

import { serviceNow } from "../../service-clock.ts";
import { MINUTE_MS } from "../../time-units.ts";
import { zoneName, zoneOffsetMs } from "../../time-zone.ts";

type Instant = string | number | Date;

const padTwo = (n: number) => String(n).padStart(2, "0");

/** "2026-11-22T14:05:33.120Z", as the clocks of the zone show it. */
function wallText(at: Instant): string {
  const instant = new Date(at).getTime();
  return new Date(instant + zoneOffsetMs(instant)).toISOString();
}

/** "2026-11-22" */
export const formatDate = (at: Instant) => wallText(at).slice(0, "2026-11-22".length);

/** "14:05", or "14:05:33" */
export const formatTime = (at: Instant, withSeconds = false) =>
  wallText(at).slice(11, withSeconds ? 19 : 16);

/** "2026-11-22 14:05" */
export const formatDateTime = (at: Instant) => `${formatDate(at)} ${formatTime(at)}`;

/** A sentence of the service, which writes instants in UTC, with those that the clocks of the zone show. */
export const withZoneTimes = (sentence: string) =>
  sentence.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (at) =>
    Number.isNaN(Date.parse(at)) ? at : formatDateTime(at),
  );

/** "2026-11-22 14:05:33 UTC+01:00": what a relative time shows on hover. */
export const formatExactTime = (at: Instant) =>
  `${formatDate(at)} ${formatTime(at, true)} ${utcOffset(at)}`;

/** "2026-11-22 14:05" in UTC, the time zone of billing. */
export const formatUtcDateTime = (at: Instant) =>
  new Date(at).toISOString().slice(0, 16).replace("T", " ");

/** "Europe/Berlin (UTC+01:00)" */
export function timeZone(): string {
  const name = zoneName();
  const now = utcOffset(serviceNow());
  return name !== "UTC" ? `${name} (${now})` : now;
}

function utcOffset(at: Instant): string {
  const minutes = zoneOffsetMs(new Date(at).getTime()) / MINUTE_MS;
  if (minutes === 0) return "UTC";
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? "-" : "+"}${padTwo(Math.floor(size / 60))}:${padTwo(size % 60)}`;
}
