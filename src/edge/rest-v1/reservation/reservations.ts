// Routes of /v1/reservations.

import type { FastifyInstance } from "fastify";
import {
  type Reservation,
  reservationOperations,
} from "../../../contract/rest-v1/account/reservation.ts";
import { type ApiKey, creatorOf } from "../../../domain/account.ts";
import { Fault } from "../../../domain/fault.ts";
import { noLabels } from "../../../domain/label/labels.ts";
import { ownerNamed } from "../../../flows/member/owner.ts";
import {
  type ReservationPosition,
  type ReservationReader,
  type ReservationView,
  readReservation,
  readReservations,
} from "../../../flows/reservation/read.ts";
import {
  changeReservationOf,
  createReservation,
  deleteReservation,
  type ReservationDeps,
} from "../../../flows/reservation/write.ts";
import { instant } from "../../management/serve/instant.ts";
import { labelFilterOf, labelsRead } from "../../management/serve/labels.ts";
import { serveOperations } from "../../management/serve/serve.ts";

export function reservationRoutes(app: FastifyInstance, deps: ReservationDeps): void {
  serveOperations(app, reservationOperations, {
    async createReservation({ key, accountId, body, once }) {
      const { gpuTypeId, gpuCount = 1, projectId = null, note = "", ...others } = body;
      const { labels = noLabels, from, until, ...rest } = others;
      rest satisfies Record<string, never>;
      const { owner } = creatorOf(key);
      const { id } = await createReservation(deps, {
        accountId,
        gpuTypeId,
        gpuCount,
        projectId,
        note,
        labels,
        once,
        role: key.member?.role ?? null,
        ...(owner && { owner }),
        from: at(from),
        until: Date.parse(until),
      });
      return reservationRead(await readReservation(deps, readerOf(key), id));
    },
    async listReservations({ key, query }) {
      const { from, until, gpuTypeId = null, createdBy, after, limit = 100 } = query;
      const page = {
        from: at(from),
        until: at(until),
        gpuTypeId,
        limit,
        after: after === undefined ? null : positionIn(after),
        labels: labelFilterOf(query),
        ownerId: createdBy === undefined ? null : ownerNamed(createdBy, key),
      };
      return (await readReservations(deps, readerOf(key), page)).map(reservationRead);
    },
    getReservation: async ({ key, params: { reservationId } }) =>
      reservationRead(await readReservation(deps, readerOf(key), reservationId)),
    async updateReservation({ key, accountId, params: { reservationId: id }, body }) {
      const { gpuCount, from, until, note, labels, ...rest } = body;
      rest satisfies Record<string, never>;
      const changes = {
        ...(gpuCount !== undefined && { gpuCount }),
        ...(from !== undefined && { from: Date.parse(from) }),
        ...(until !== undefined && { until: Date.parse(until) }),
        ...(note !== undefined && { note }),
        ...(labels !== undefined && { labels }),
      };
      const role = key.member?.role ?? null;
      const by = creatorOf(key).owner;
      await changeReservationOf(deps, { accountId, id, changes, role, by });
      return reservationRead(await readReservation(deps, readerOf(key), id));
    },
    async deleteReservation({ accountId, params: { reservationId } }) {
      await deleteReservation(deps, accountId, reservationId);
    },
  });
}

function positionIn(after: string): ReservationPosition {
  const slash = after.indexOf("/");
  const from = Date.parse(after.slice(0, slash));
  if (!Number.isNaN(from)) return { from, id: after.slice(slash + 1) };
  const detail = `"after" must begin with the time at which a reservation begins; "${after.slice(0, slash)}" is no time.`;
  throw new Fault("invalid_query", { detail });
}

const at = (time: string | undefined) => (time === undefined ? null : Date.parse(time));

const readerOf = (key: ApiKey): ReservationReader => ({
  accountId: key.accountId,
  memberId: key.member?.id ?? null,
  role: key.member?.role ?? null,
});

function reservationRead(reservation: ReservationView): Reservation {
  const { id, gpuTypeId, gpuCount, from, until, active, project, note, owner } = reservation;
  const { use, borrowers, releasesAt, releasedAt } = reservation;
  return {
    id,
    gpuTypeId,
    gpuCount,
    from: instant(from),
    until: instant(until),
    active,
    ...(use && { use: { used: use.used, free: use.free, lent: use.lent, short: use.short } }),
    ...(releasesAt !== null && { releasesAt: instant(releasesAt) }),
    ...(releasedAt !== null && { releasedAt: instant(releasedAt) }),
    ...(borrowers.length > 0 && {
      borrowers: borrowers.map(({ pod: { id: podId, name }, gpuCount: gpus }) => {
        return { podId, name, gpuCount: gpus };
      }),
    }),
    ...(project && { project }),
    ...(note !== "" && { note }),
    ...labelsRead(reservation),
    ...(owner && { createdBy: owner }),
    createdAt: instant(reservation.createdAt),
  };
}
