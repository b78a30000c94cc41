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
  ...["BEGIN:VTIMEZONE", "TZID:Etc/UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000"],
  ...["TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE"],
];

export function reservationCalendar(reservations: readonly CalendarReservation[]): string {
  const lines = [
    ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Freehold//GPU reservations//EN"],
    ...["CALSCALE:GREGORIAN", `NAME:${NAME}`, `X-WR-CALNAME:${NAME}`],
    ...["REFRESH-INTERVAL;VALUE=DURATION:PT15M", "X-PUBLISHED-TTL:PT15M"],
    ...(reservations.length === 0 ? NO_EVENTS : reservations.flatMap(eventLines)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

/** A reservation does not change until it is cancelled, so its sequence number stays 0. It does not make its holder busy. */
function eventLines(reservation: CalendarReservation): string[] {
  const { id, gpuTypeId, gpuCount, from, until, createdAt, note, owner, project } = reservation;
  const holder = project ? `project ${project.name}` : (owner?.name ?? "the account");
  const by = project && owner ? `Reserved by ${owner.name}` : "";
  const description = [note, by].filter((text) => text !== "").join("\n");
  return [
    ...["BEGIN:VEVENT", `UID:${id}@reservations.freehold`],
    ...[`DTSTAMP:${timeText(createdAt)}`, `CREATED:${timeText(createdAt)}`],
    ...[`DTSTART:${timeText(from)}`, `DTEND:${timeText(until)}`, "SEQUENCE:0"],
    `SUMMARY:${escaped(`${gpuCount} x ${gpuTypeId} for ${holder}`)}`,
    ...(description === "" ? [] : [`DESCRIPTION:${escaped(description)}`]),
    ...["STATUS:CONFIRMED", "TRANSP:TRANSPARENT", "END:VEVENT"],
  ];
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
