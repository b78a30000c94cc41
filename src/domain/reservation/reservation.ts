// Reservations: GPUs of a type that are kept free for a member, a project or an account for a time. Pure.

import { DAY_MS } from "../../base/units.ts";
import type { Labels } from "../label/labels.ts";
import type { Owned } from "../member/member.ts";

/** It is for its project; without one for its owner; without that for the whole account. */
export interface Reservation extends Owned {
  id: string;
  accountId: string;
  projectId: string | null;
  gpuTypeId: string;
  gpuCount: number;
  from: number;
  until: number;
  note: string;
  labels: Labels;
  createdAt: number;
  /** When what a calendar shows of it last changed, and how often it did. */
  changedAt: number;
  sequence: number;
  /** Null for one that is not cancelled. One that was released is cancelled too. */
  cancelledAt: number | null;
  /** Since when none of its GPUs are in use though some can be; null while that is not so, or was not looked at yet. */
  unusedSince: number | null;
  /** When its account was warned that it will be released. */
  warnedAt: number | null;
  /** When it was released because it was not used. */
  releasedAt: number | null;
  /** The member that enlarged it, for whose share it counts since; null for one that has an owner. */
  enlargedBy: string | null;
}

/** The member for whose share and quota it counts. */
export const chargedMember = ({ owner, enlargedBy }: Pick<Reservation, "owner" | "enlargedBy">) =>
  owner?.id ?? enlargedBy;

/** What a client sets of one. */
export type ReservationTerms = Pick<
  Reservation,
  "gpuTypeId" | "gpuCount" | "from" | "until" | "note" | "labels" | "projectId"
>;

export const SHORTEST_MINUTES = 5;

/** Ended reservations are kept for so long. */
export const RESERVATION_KEPT_MS = 90 * DAY_MS;

/** Calendar programs see for so long that one was cancelled. */
export const CANCELLATION_KEPT_MS = 30 * DAY_MS;
export const CANCELLATIONS_KEPT = 200;

/** The caller that asks for a place: an account, and the member that what is placed belongs to. */
export interface Asker {
  accountId: string;
  memberId: string | null;
}

/** No claim is for it. */
export const NO_ASKER: Asker = { accountId: "", memberId: null };

/** An active reservation. */
export interface Claim
  extends Pick<Reservation, "accountId" | "projectId" | "gpuTypeId" | "gpuCount" | "until"> {
  /** The members whose GPUs fill it; null for everything that the account holds. */
  members: ReadonlySet<string> | null;
  /** Its name in refusals to callers of its account. */
  holder: string;
}

/** The GPUs of a type that an account holds, by the member that they belong to. */
export type HeldOfType = ReadonlyMap<string | null, number>;

/** What a claim lacks. */
export interface Unfilled {
  claim: Claim;
  missing: number;
  /** Whether the asker may take it. */
  isOwn: boolean;
}

export interface Withheld {
  count: number;
  /** For whom, and until when at least. */
  holders: string[];
  until: number;
  /** What all claims of the type lack, in their order, if the asker may take some of it. */
  unfilled?: readonly Pick<Unfilled, "missing" | "isOwn">[];
}

/**
 * The claims that lack GPUs, in their order. A GPU fills one claim, of its member first, then of the project, then of the
 * account.
 */
export function unfilledOf(
  asker: Asker,
  claims: readonly Claim[],
  heldBy: (accountId: string, gpuTypeId: string) => HeldOfType,
): Unfilled[] {
  const filled = new Map<Claim, number>();
  const groups = Map.groupBy(claims, (each) => JSON.stringify([each.accountId, each.gpuTypeId]));
  for (const its of groups.values()) {
    const left = new Map(heldBy(its[0]!.accountId, its[0]!.gpuTypeId));
    for (const claim of its.toSorted(narrowestFirst)) filled.set(claim, fill(claim, left));
  }
  return claims.flatMap((claim) => {
    const missing = claim.gpuCount - filled.get(claim)!;
    return missing === 0 ? [] : [{ claim, missing, isOwn: isFor(claim, asker) }];
  });
}

/** How many of the free GPUs of each type an asker may not take: what the claims of others lack. */
export function withheldFrom(
  asker: Asker,
  claims: readonly Claim[],
  heldBy: (accountId: string, gpuTypeId: string) => HeldOfType,
): Map<string, Withheld> {
  const withheld = new Map<string, Withheld>();
  const groups = Map.groupBy(unfilledOf(asker, claims, heldBy), ({ claim }) => claim.gpuTypeId);
  for (const [gpuTypeId, unfilled] of groups) {
    const others = unfilled.filter(({ isOwn }) => !isOwn);
    if (others.length === 0) continue;
    const names = others.map(({ claim: { accountId, holder } }) =>
      accountId === asker.accountId ? holder : "another account",
    );
    withheld.set(gpuTypeId, {
      count: others.reduce((sum, { missing }) => sum + missing, 0),
      holders: [...new Set(names)],
      until: Math.min(...others.map(({ claim }) => claim.until)),
      ...(others.length < unfilled.length && { unfilled }),
    });
  }
  return withheld;
}

/**
 * How many of the free GPUs an asker may take; below zero if the claims of others lack more. Where they do not suffice for all
 * claims, those that come first get them, so that not each leaves them to the other.
 */
export function leftFor(free: number, { count, unfilled = [] }: Withheld): number {
  let rest = Math.max(0, free);
  let own = 0;
  for (const { missing, isOwn } of unfilled) {
    const granted = Math.min(missing, rest);
    rest -= granted;
    if (isOwn) own += granted;
  }
  return own > 0 ? Math.max(own, free - count) : free - count;
}

/** How many GPUs of a claim are neither free nor in use by its holder, where these claims share the free ones. */
export function shortageOf(
  claim: Claim,
  claims: readonly Claim[],
  heldBy: (accountId: string, gpuTypeId: string) => HeldOfType,
  free: number,
): number {
  const unfilled = (of: readonly Claim[]) =>
    withheldFrom(NO_ASKER, of, heldBy).get(claim.gpuTypeId)?.count ?? 0;
  return Math.min(unfilled([claim]), Math.max(0, unfilled(claims) - free));
}

/** Takes what fills the claim out of what is left, and returns how many GPUs those are. */
function fill({ members, gpuCount }: Claim, left: Map<string | null, number>): number {
  let filled = 0;
  for (const [member, count] of left) {
    if (members && (member === null || !members.has(member))) continue;
    const taken = Math.min(count, gpuCount - filled);
    left.set(member, count - taken);
    filled += taken;
  }
  return filled;
}

const sizeOf = ({ members }: Claim) => members?.size ?? Number.POSITIVE_INFINITY;

function narrowestFirst(a: Claim, b: Claim): number {
  const [sizeA, sizeB] = [sizeOf(a), sizeOf(b)];
  return sizeA === sizeB ? 0 : sizeA - sizeB;
}

/** Whether an asker may take what the claim keeps. */
export function isFor(
  { accountId, members }: Pick<Claim, "accountId" | "members">,
  asker: Asker,
): boolean {
  if (accountId !== asker.accountId) return false;
  return members === null || (asker.memberId !== null && members.has(asker.memberId));
}

/** Such as "4 of 8 NVIDIA A40 are reserved for project vision until 2027-01-01T18:00:00.000Z". */
export function withheldText(
  { count, holders, until }: Withheld,
  total: number,
  gpuTypeId: string,
): string {
  const are = count === 1 ? "is" : "are";
  const time = new Date(until).toISOString();
  return `${count} of ${total} ${gpuTypeId} ${are} reserved for ${holders.join(" and ")} until ${time}`;
}
