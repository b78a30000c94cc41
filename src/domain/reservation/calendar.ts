// Reservations as iCalendar (RFC 5545), for programs that subscribe to a feed. Pure.

import type { MemberName } from "../member/member.ts";
import type { Reservation } from "./reservation.ts";

export interface CalendarReservation extends Reservation {
  project: Pick<MemberName, "name"> | null;
}

/** Octets of a line without its end. */
const MAX_LINE_BYTES = 75;
const NAME = "GPU reservations";

/** A calendar has at least one component. */
const NO_EVENTS = [
  "BEGIN:VTIMEZONE",
  "TZID:Etc/UTC",
  "BEGIN:STANDARD",
  "DTSTART:19700101T000000",
  "TZOFFSETFROM:+0000",
  "TZOFFSETTO:+0000",
  "END:STANDARD",
  "END:VTIMEZONE",
];

export function reservationCalendar(reservations: readonly CalendarReservation[]): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Freehold//GPU reservations//EN",
    "CALSCALE:GREGORIAN",
    `NAME:${NAME}`,
    `X-WR-CALNAME:${NAME}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT15M",
    "X-PUBLISHED-TTL:PT15M",
    ...(reservations.length === 0 ? NO_EVENTS : reservations.flatMap(eventLines)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

/**
 * A program that has an event replaces it by one with a higher sequence number, and removes a cancelled one. It does not make its
 * holder busy.
 */
function eventLines(reservation: CalendarReservation): string[] {
  const { id, gpuTypeId, gpuCount, from, until, createdAt, changedAt, sequence } = reservation;
  const { note, owner, project, cancelledAt } = reservation;
  const holder = holderOf(reservation);
  const by = project && owner ? `Reserved by ${owner.name}` : "";
  const description = [note, by].filter((text) => text !== "").join("\n");
  return [
    "BEGIN:VEVENT",
    `UID:${id}@reservations.freehold`,
    `DTSTAMP:${timeText(changedAt)}`,
    `CREATED:${timeText(createdAt)}`,
    `LAST-MODIFIED:${timeText(changedAt)}`,
    `SEQUENCE:${sequence}`,
    `DTSTART:${timeText(from)}`,
    `DTEND:${timeText(until)}`,
    `SUMMARY:${escaped(`${gpuCount} x ${gpuTypeId} for ${holder}`)}`,
    ...(description === "" ? [] : [`DESCRIPTION:${escaped(description)}`]),
    `STATUS:${cancelledAt === null ? "CONFIRMED" : "CANCELLED"}`,
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

function holderOf({ project, projectId, owner }: CalendarReservation): string {
  if (project) return `project ${project.name}`;
  if (projectId !== null) return "a deleted project";
  return owner?.name ?? "the account";
}

const timeText = (at: number) => new Date(at).toISOString().replace(/[-:]|\.\d+/g, "");

function escaped(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .replace(/[\\;,]/g, "\\$&")
    .replaceAll("\n", "\\n");
}

/** No character is split, and a line that continues begins with a space. */
function folded(line: string): string {
  let text = "";
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > MAX_LINE_BYTES) {
      text += "\r\n ";
      bytes = 1;
    }
    text += character;
    bytes += size;
  }
  return text;
}
