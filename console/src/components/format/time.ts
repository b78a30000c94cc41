// Instants as text: ISO date and 24-hour time, in the time zone of the browser.

import { serviceNow } from "../../service-clock.ts";

type Instant = string | number | Date;

const padTwo = (n: number) => String(n).padStart(2, "0");

/** "2026-11-22" */
export function formatDate(at: Instant): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;
}

/** "14:05", or "14:05:33" */
export function formatTime(at: Instant, withSeconds = false): string {
  const date = new Date(at);
  const minutes = `${padTwo(date.getHours())}:${padTwo(date.getMinutes())}`;
  return withSeconds ? `${minutes}:${padTwo(date.getSeconds())}` : minutes;
}

/** "2026-11-22 14:05" */
export const formatDateTime = (at: Instant) => `${formatDate(at)} ${formatTime(at)}`;

/** "2026-11-22 14:05:33 UTC+01:00": what a relative time shows on hover. */
export const formatExactTime = (at: Instant) =>
  `${formatDate(at)} ${formatTime(at, true)} ${utcOffset(at)}`;

/** "2026-11-22 14:05" in UTC, the time zone of billing. */
export const formatUtcDateTime = (at: Instant) =>
  new Date(at).toISOString().slice(0, 16).replace("T", " ");

/** "Europe/Berlin (UTC+01:00)" */
export function timeZone(): string {
  const { timeZone: name } = Intl.DateTimeFormat().resolvedOptions();
  const now = utcOffset(serviceNow());
  return name && name !== "UTC" ? `${name} (${now})` : now;
}

function utcOffset(at: Instant): string {
  const minutes = -new Date(at).getTimezoneOffset();
  if (minutes === 0) return "UTC";
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? "-" : "+"}${padTwo(Math.floor(size / 60))}:${padTwo(size % 60)}`;
}
