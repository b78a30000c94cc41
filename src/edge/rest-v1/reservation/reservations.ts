// Routes of /v1/reservations.

import type { FastifyInstance } from "fastify";
import {
  type Reservation,
  reservationOperations,
} from "../../../contract/rest-v1/account/reservation.ts";
import { creatorOf } from "../../../domain/account.ts";
import { ownerNamed } from "../../../flows/member/owner.ts";
import {
  type ReservationView,
  readReservation,
  readReservations,
} from "../../../flows/reservation/read.ts";
import {
  createReservation,
  deleteReservation,
  type ReservationDeps,
} from "../../../flows/reservation/write.ts";
import { instant } from "../../management/serve/instant.ts";
import { serve } from "../../management/serve/serve.ts";

export function reservationRoutes(app: FastifyInstance, deps: ReservationDeps): void {
  serve(app, reservationOperations, {
    async createReservation({ key, accountId, body, once }) {
      const { gpuTypeId, gpuCount = 1, projectId = null, note = "", from, until, ...rest } = body;
      rest satisfies Record<string, never>;
      const { owner } = creatorOf(key);
      const { id } = await createReservation(deps, {
        ...{ accountId, gpuTypeId, gpuCount, projectId, note, once },
        role: key.member?.role ?? null,
        ...(owner && { owner }),
        ...{ from: at(from), until: Date.parse(until) },
      });
      return reservationRead(await readReservation(deps, accountId, id));
    },
    async listReservations({ key, accountId, query }) {
      const { from, until, gpuTypeId = null, createdBy, after = null, limit = 100 } = query;
      const page = {
        ...{ from: at(from), until: at(until), gpuTypeId, after, limit },
        ownerId: createdBy === undefined ? null : ownerNamed(createdBy, key),
      };
      return (await readReservations(deps, accountId, page)).map(reservationRead);
    },
    getReservation: async ({ accountId, params: { reservationId } }) =>
      reservationRead(await readReservation(deps, accountId, reservationId)),
    async deleteReservation({ accountId, params: { reservationId } }) {
      await deleteReservation(deps, accountId, reservationId);
    },
  });
}

const at = (time: string | undefined) => (time === undefined ? null : Date.parse(time));

function reservationRead(reservation: ReservationView): Reservation {
  const { id, gpuTypeId, gpuCount, from, until, active, project, note, owner } = reservation;
  return {
    ...{ id, gpuTypeId, gpuCount, from: instant(from), until: instant(until), active },
    ...(project && { project }),
    ...(note !== "" && { note }),
    ...(owner && { createdBy: owner }),
    createdAt: instant(reservation.createdAt),
  };
}
