// The calendar feed of reservations, which calendar programs subscribe to.

import Type from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";

const reservationFeed = Type.Object({ createdAt: instant }, { title: "ReservationFeed" });

const newReservationFeed = Type.Object(
  {
    ...reservationFeed.properties,
    url: Type.String({
      description:
        "The address to subscribe to. It is returned once. It needs no key, so do not pass it on.",
    }),
  },
  { title: "NewReservationFeed" },
);

const tag = "Reservations";
const path = "/v1/reservation-feed";
const write = { of: "rest", access: "write", area: "own" } as const;

export const reservationFeedOperations = {
  getReservationFeed: {
    method: "GET",
    path,
    tag,
    summary: "Read whether the caller has a calendar feed",
    description: "The feed of the member, or of the account for a key of no member.",
    needs: { of: "rest", access: "read", area: "own" },
    answer: { status: 200, description: "The feed.", schema: reservationFeed },
  },
  replaceReservationFeed: {
    method: "PUT",
    path,
    tag,
    summary: "Create or replace the caller's calendar feed",
    description:
      "Calendar programs subscribe to the address. It shows the reservations of the account and grants nothing else. " +
      "The previous address ends. The feed of a member ends when the member is removed.",
    needs: write,
    answer: { status: 200, description: "The feed with its address.", schema: newReservationFeed },
  },
  deleteReservationFeed: {
    method: "DELETE",
    path,
    tag,
    summary: "Revoke the caller's calendar feed",
    needs: write,
    answer: { status: 204, description: "The address is not valid any more." },
  },
  readReservationCalendar: {
    method: "GET",
    path: "/v1/reservations.ics",
    tag,
    summary: "Read reservations as a calendar",
    description:
      "iCalendar (RFC 5545), in UTC. The 1,000 that end last, and none that ended more than 90 days ago. A cancelled one has " +
      "`STATUS:CANCELLED` for 30 days. " +
      "With `If-None-Match` the answer is 304 while nothing changed.",
    needs: "nothing",
    query: Type.Object({
      token: Type.Optional(Type.String({ description: "The token in the address of a feed." })),
    }),
    answer: { status: 200, description: "The calendar.", mediaType: "text/calendar" },
  },
} as const satisfies Operations;
