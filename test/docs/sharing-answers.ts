// Asks for the operations on exemptions and reservations, whose answers become examples.

import type { Operation } from "../../src/contract/operation.ts";
import { exemptionOperations as exemptions } from "../../src/contract/rest-v1/account/exemption.ts";
import { reservationOperations as reservations } from "../../src/contract/rest-v1/account/reservation.ts";
import { reservationFeedOperations as feeds } from "../../src/contract/rest-v1/account/reservation-feed.ts";

export async function askOfExemptions(
  ask: (operation: Operation, ids?: string[], body?: unknown) => Promise<{ id: string }>,
  projectId: string,
) {
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const about = { projectId, until, reason: "a deadline on Friday" };
  const exemption = await ask(exemptions.createExemption, [], about);
  await ask(exemptions.listExemptions);
  await ask(exemptions.deleteExemption, [exemption.id]);
}

export async function askOfReservations(
  ask: (operation: Operation, ids?: string[], body?: unknown) => Promise<{ id: string }>,
  projectId: string,
) {
  const reserved = await ask(reservations.createReservation, [], {
    gpuTypeId: "NVIDIA A40",
    gpuCount: 2,
    from: new Date(Date.now() + 3_600_000).toISOString(),
    until: new Date(Date.now() + 7_200_000).toISOString(),
    projectId,
    note: "training",
  });
  await ask(reservations.listReservations);
  await ask(reservations.getReservation, [reserved.id]);
  await ask(reservations.updateReservation, [reserved.id], { note: "training" });
  await ask(reservations.deleteReservation, [reserved.id]);
  await ask(feeds.replaceReservationFeed);
  await ask(feeds.getReservationFeed);
  await ask(feeds.deleteReservationFeed);
}
