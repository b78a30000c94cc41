// What the operator allows of a reservation: how long it is, how far ahead, and how many GPUs of a type a member reserves. Pure.

import { counted } from "../../base/text/counted.ts";
import { DAY_MS, HOUR_MS } from "../../base/units.ts";
import { Fault } from "../fault.ts";
import type { Peak } from "./peak.ts";
import type { Reservation } from "./reservation.ts";

/** Null for no limit. */
export interface ReservationLimits {
  /** How long one is. */
  hours: number | null;
  /** How far ahead it ends. */
  aheadDays: number;
  /** The GPUs of a type that a member reserves at one time, of all that the machines offer. An admin may exceed it. */
  memberPercent: number | null;
  /** After so many minutes without use one is released. */
  unusedMinutes: number | null;
}

export const defaultLimits: ReservationLimits = {
  hours: 336,
  aheadDays: 90,
  memberPercent: 50,
  unusedMinutes: 60,
};

type Times = Pick<Reservation, "from" | "until">;

/** A sentence about times that are not allowed; null if they are. */
export function limitError({ from, until }: Times, now: number, limits: ReservationLimits) {
  const { hours, aheadDays } = limits;
  if (until > now + aheadDays * DAY_MS)
    return `"until" is more than ${counted(aheadDays, "day")} ahead.`;
  if (hours === null || until - from <= hours * HOUR_MS) return null;
  const start = from === now ? "now" : '"from"';
  return `"until" is more than ${counted(hours, "hour")} after ${start}, the longest that the operator allows. Choose an earlier "until", and reserve again later.`;
}

interface Share {
  /** When the member's other reservations take most. */
  peak: Peak | null;
  /** What the machines offer. */
  total: number;
  /** Null for the caller, whom a refusal addresses. */
  name: string | null;
}

/** Refuses GPUs beyond the share of a member, which is one GPU at least. */
export function refuseShare(
  { gpuTypeId: type, gpuCount }: Pick<Reservation, "gpuTypeId" | "gpuCount">,
  { peak, total, name }: Share,
  { memberPercent: percent }: ReservationLimits,
): Fault | null {
  if (percent === null) return null;
  const limit = Math.max(1, Math.floor((total * percent) / 100));
  const reserved = peak?.count ?? 0;
  if (reserved + gpuCount <= limit) return null;
  const holder = name === null ? "You have" : `${name} has`;
  return new Fault("reservation_share", {
    reserved,
    gpuCount,
    limit,
    total,
    type,
    percent,
    holder,
  });
}
