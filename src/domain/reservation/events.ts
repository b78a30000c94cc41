// The events for a reservation that begins soon while others hold its GPUs: one for its account, one for each Pod. Pure.

import { MINUTE_MS } from "../../base/units.ts";
import { durationText } from "../duration.ts";
import { type AccountEvent, accountEvent, named } from "../notification/event.ts";
import type { Reservation } from "./reservation.ts";

/** How long before its start a reservation is announced. */
export const ANNOUNCED_MS = 30 * MINUTE_MS;

export type Announced = Pick<Reservation, "id" | "gpuTypeId" | "gpuCount" | "from" | "until">;

/** A Pod that holds GPUs which are reserved for another holder. */
export interface Borrower {
  id: string;
  name: string;
  interruptible: boolean;
  machine: string;
}

export function reservationShort(
  reservation: Announced,
  { holder, short, at }: { holder: string; short: number; at: number },
): AccountEvent {
  const { id, gpuTypeId, gpuCount, from, until } = reservation;
  const begins = from > at ? `begins in ${durationText(from - at)}` : "has begun";
  const summary = `The reservation of ${gpuCount} ${gpuTypeId} for ${holder} ${begins} and is short by ${short} of ${gpuCount}: so many are neither free nor in use by its holder.`;
  return accountEvent({
    type: "reservation_short",
    at,
    summary,
    resource: { type: "reservation", id, name: "" },
    details: { gpuTypeId, gpuCount, short, from: iso(from), until: iso(until), holder },
  });
}

/** A warning that a reservation is not used, and when it is released. */
export function reservationUnused(
  reservation: Announced,
  { holder, unusedSince, releasesAt, at }: Unused & { releasesAt: number; at: number },
): AccountEvent {
  const summary = `${sentenceOf(reservation, holder)} has not been used since ${iso(unusedSince)}. It is released in ${durationText(releasesAt - at)}, at ${iso(releasesAt)}, unless something starts on its GPUs or it is changed.`;
  const details = { ...factsOf(reservation, holder), unusedSince: iso(unusedSince) };
  return unusedEvent("reservation_unused", reservation, {
    at,
    summary,
    details: { ...details, releasesAt: iso(releasesAt) },
  });
}

export function reservationReleased(
  reservation: Announced,
  { holder, unusedSince, at }: Unused & { at: number },
): AccountEvent {
  const summary = `${sentenceOf(reservation, holder)} was released: it was not used since ${iso(unusedSince)}. Its GPUs are free for others.`;
  const details = { ...factsOf(reservation, holder), unusedSince: iso(unusedSince) };
  return unusedEvent("reservation_released", reservation, { at, summary, details });
}

interface Unused {
  holder: string;
  unusedSince: number;
}

const unusedEvent = (
  type: "reservation_unused" | "reservation_released",
  { id }: Announced,
  fact: Pick<AccountEvent, "at" | "summary" | "details">,
): AccountEvent => accountEvent({ ...fact, type, resource: { type: "reservation", id, name: "" } });

const sentenceOf = ({ gpuCount, gpuTypeId, until }: Announced, holder: string) =>
  `The reservation of ${gpuCount} ${gpuTypeId} for ${holder} until ${iso(until)}`;

const factsOf = ({ gpuTypeId, gpuCount, from, until }: Announced, holder: string) => {
  return { gpuTypeId, gpuCount, from: iso(from), until: iso(until), holder };
};

/** `holder` is "another account" where the Pod is of another. */
export function gpusReserved(
  pod: Borrower,
  reservation: Announced,
  { holder, at }: { holder: string; at: number },
): AccountEvent {
  const { gpuTypeId, from, until } = reservation;
  return accountEvent({
    type: "gpus_reserved",
    at,
    summary: `Pod ${named(pod.name, pod.id)}: ${borrowerText(pod, reservation, { holder, at })}.`,
    resource: { type: "pod", id: pod.id, name: pod.name },
    details: {
      gpuTypeId,
      from: iso(from),
      until: iso(until),
      holder,
      interruptible: pod.interruptible,
      machineId: pod.machine,
    },
  });
}

/** The line in the log of the Pod. */
export function borrowerText(
  { interruptible }: Pick<Borrower, "interruptible">,
  { gpuTypeId, gpuCount, from }: Announced,
  { holder, at }: { holder: string; at: number },
): string {
  const when = from > at ? `in ${durationText(from - at)}, at ${iso(from)}` : "now";
  const reserved = `${gpuCount} ${gpuTypeId} ${gpuCount === 1 ? "is" : "are"} reserved for ${holder}, and not enough are free`;
  return interruptible
    ? `it may be interrupted ${when}: ${reserved}`
    : `its GPUs are needed ${when}: ${reserved}; it is not stopped, so stop it if it can wait`;
}

const iso = (at: number) => new Date(at).toISOString();
