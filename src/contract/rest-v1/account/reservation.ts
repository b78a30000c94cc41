// Reservations: GPUs of a type that are kept free for a member, a project or an account for a time.

import Type, { type Static } from "typebox";
import {
  CATALOG,
  createdBy,
  instant,
  labeledList,
  labels,
  TAKES,
  wholeNumber,
} from "../../fields.ts";
import { type Operations, write } from "../../operation.ts";

const gpuTypeId = Type.String({ [CATALOG]: "gpuTypes", description: "The id of a GPU type." });
const note = Type.String({ maxLength: 191, description: "What it is for." });

const reservationCreate = Type.Object(
  {
    gpuTypeId,
    gpuCount: Type.Optional(wholeNumber(1, { default: 1, description: "How many. Default: 1." })),
    from: Type.Optional(
      Type.String({
        ...instant,
        description: "When it begins. Default: now, and for a time in the past. UTC.",
      }),
    ),
    until: Type.String({
      ...instant,
      description:
        "When it ends: at least 5 minutes after it begins, and by default at most 14 days after it and 90 days ahead. UTC.",
    }),
    projectId: Type.Optional(
      Type.String({
        description:
          "The project that it is for: one that the caller is a member of, or for an admin any. Default: the caller, or the account if the key belongs to no member.",
      }),
    ),
    note: Type.Optional(note),
    labels: Type.Optional(labels),
  },
  { title: "ReservationCreate", additionalProperties: false },
);

const reservationUpdate = Type.Object(
  {
    gpuCount: Type.Optional(wholeNumber(1, { description: "How many." })),
    from: Type.Optional(
      Type.String({
        ...instant,
        description:
          "When it begins. A time in the past is now, or no change if it has begun. UTC.",
      }),
    ),
    until: Type.Optional(
      Type.String({ ...instant, description: "When it ends, within the same limits. UTC." }),
    ),
    note: Type.Optional(note),
    labels: Type.Optional(labels),
  },
  { title: "ReservationUpdate", additionalProperties: false },
);

const reservation = Type.Object(
  {
    id: Type.String(),
    gpuTypeId,
    gpuCount: Type.Integer(),
    from: instant,
    until: instant,
    active: Type.Boolean({ description: "Whether it has begun and not ended." }),
    use: Type.Optional(
      Type.Object(
        {
          used: Type.Integer({
            description: "In use by its holder's on-demand Pods, clusters and workers.",
          }),
          free: Type.Integer({ description: "Free for its holder." }),
          lent: Type.Integer({
            description: "Lent to spot Pods, which give way as soon as its holder needs them.",
          }),
          short: Type.Integer({
            description: "Missing: others run on demand there, or a machine was lost.",
          }),
        },
        { description: "How its GPUs stand while it is active." },
      ),
    ),
    releasesAt: Type.Optional(
      Type.String({
        ...instant,
        description:
          "When it is released unless its holder starts something on its GPUs, or changes it: none of them are in use.",
      }),
    ),
    releasedAt: Type.Optional(
      Type.String({
        ...instant,
        description:
          "When it was released because it was not used. It stays in lists until the end that it had.",
      }),
    ),
    borrowers: Type.Optional(
      Type.Array(
        Type.Object({ podId: Type.String(), name: Type.String(), gpuCount: Type.Integer() }),
        {
          description:
            "The spot Pods of the account on GPUs of the type while some are lent, those that the caller may see: each may be interrupted.",
        },
      ),
    ),
    project: Type.Optional(
      Type.Object(
        { id: Type.String(), name: Type.String() },
        { description: "The project that it is for, in place of its creator." },
      ),
    ),
    note: Type.Optional(note),
    labels: Type.Optional(labels),
    createdBy: Type.Optional(createdBy),
    createdAt: instant,
  },
  { title: "Reservation" },
);
export type Reservation = Static<typeof reservation>;

const tag = "Reservations";
const path = "/v1/reservations/{reservationId}";
const read = { of: "rest", access: "read", area: "own" } as const;
const answer = { description: "The reservation.", schema: reservation } as const;

export const reservationOperations = {
  createReservation: {
    method: "POST",
    path: "/v1/reservations",
    tag,
    summary: "Reserve GPUs for a time",
    description:
      "While it is active, Pods, clusters and workers of others do not get the GPUs that it lacks; what runs already stays. " +
      "What its holder runs on demand on GPUs of the type fills it; spot Pods borrow the rest until its holder needs it. An account has at most 500 reservations that have not ended, a member 100 of them. By default a member reserves at most half of the GPUs of a type at one time (`FREEHOLD_RESERVATION_LIMITS`). One of which no GPU is used for 60 minutes is released. The limit `reservedGpus` of quotas applies; accounts other than the operator's reserve none unless the operator sets it.",
    needs: write,
    body: reservationCreate,
    once: true,
    answer: { status: 201, ...answer },
  },
  listReservations: {
    method: "GET",
    path: "/v1/reservations",
    tag,
    summary: "List the reservations of the account",
    description:
      "Those that overlap a time, in the order in which they begin. For the next page, pass `from` and `id` of the last reservation as `after`.",
    needs: read,
    query: Type.Object({
      from: Type.Optional(Type.String({ ...instant, description: "Default: now." })),
      until: Type.Optional(Type.String({ ...instant, description: "Default: no end." })),
      gpuTypeId: Type.Optional(Type.String({ description: "Only those of a GPU type." })),
      ...labeledList.properties,
      after: Type.Optional(
        Type.String({
          pattern: "^[0-9TZ:.+-]{20,35}/.{1,64}$",
          [TAKES]:
            "the start and the id of a reservation, such as 2027-01-01T09:00:00.000Z/k3q9w2m5x8r1t0",
          description:
            "Only reservations after this position: `from` and `id` of a reservation with a slash between them. The " +
            "reservation may be cancelled since.",
        }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })),
    }),
    answer: { status: 200, description: "The reservations.", schema: Type.Array(reservation) },
  },
  getReservation: {
    method: "GET",
    path,
    tag,
    summary: "Read a reservation",
    needs: read,
    answer: { status: 200, ...answer },
  },
  updateReservation: {
    method: "PATCH",
    path,
    tag,
    summary: "Change a reservation's time, GPUs, note or labels",
    description:
      "What it takes beyond what it has is checked as for a new one, in one commit. One that only gets shorter or smaller needs no " +
      "free GPUs and no quota. The GPU type and whom it is for do not change.",
    needs: write,
    body: reservationUpdate,
    answer: { status: 200, ...answer },
  },
  deleteReservation: {
    method: "DELETE",
    path,
    tag,
    summary: "Cancel a reservation",
    description:
      "Its GPUs are free for others at once. What its holder runs on them stays. One that was released leaves the lists.",
    needs: write,
    answer: { status: 204, description: "The reservation is cancelled." },
  },
} as const satisfies Operations;
