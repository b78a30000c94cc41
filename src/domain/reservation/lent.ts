// Reserved GPUs that are not in use are lent to spot Pods: what is in use, free, lent and missing of each reservation. Pure.

import { type Claim, type HeldOfType, NO_ASKER, unfilledOf } from "./reservation.ts";

/** GPUs of a type on open machines: free ones, and those of spot Pods. */
export interface LendingStock {
  free: number;
  lent: number;
}

/** The part of so many missing GPUs that free ones, and then those of spot Pods, can stand for. */
export function coverMissing({ free, lent }: LendingStock, missing: number): LendingStock {
  const covered = Math.min(missing, Math.max(0, free));
  return { free: covered, lent: Math.min(missing - covered, Math.max(0, lent)) };
}

/** The GPUs kept for a reservation or a guarantee: in use by its holder, free, held by spot Pods, and missing. */
export interface KeptGpus {
  used: number;
  free: number;
  lent: number;
  short: number;
}

export type ClaimUse = KeptGpus & { claim: Claim };

/** How free GPUs and those of spot Pods stand for claims, in their order; free ones first. */
export function reservationUses(
  claims: readonly Claim[],
  heldBy: (accountId: string, gpuTypeId: string) => HeldOfType,
  stockOf: (gpuTypeId: string) => LendingStock,
): ClaimUse[] {
  const missingOf = new Map(
    unfilledOf(NO_ASKER, claims, heldBy).map(({ claim, missing }) => [claim, missing]),
  );
  const left = new Map<string, LendingStock>();
  return claims.map((claim) => {
    const { gpuTypeId, gpuCount } = claim;
    const stock = left.get(gpuTypeId) ?? stockOf(gpuTypeId);
    const missing = missingOf.get(claim) ?? 0;
    const { free, lent } = coverMissing(stock, missing);
    left.set(gpuTypeId, { free: stock.free - free, lent: stock.lent - lent });
    return { claim, used: gpuCount - missing, free, lent, short: missing - free - lent };
  });
}

/** The free GPUs and those of spot Pods that stand for some of the claims. */
export function stockOfUses(uses: readonly KeptGpus[]): LendingStock {
  const sumOf = (of: "free" | "lent") => uses.reduce((sum, each) => sum + each[of], 0);
  return { free: sumOf("free"), lent: sumOf("lent") };
}

/** What spot Pods hold of a reservation or a guarantee. */
export interface Lender {
  gpuTypeId: string;
  lent: number;
  /** Its name for callers of its account; "another account" for all others. */
  holder: string;
  /** When a reservation begins that has not begun yet; null for what may be taken back at any time. */
  from: number | null;
  /** When a reservation ends; null for a guarantee. */
  until: number | null;
}

/** Such as "Spot Pods borrow 2 NVIDIA A40 that are guaranteed to project vision, so it may be interrupted at any time." */
export function lenderText({ gpuTypeId, lent, holder, from, until }: Lender): string {
  const are = lent === 1 ? "is" : "are";
  const purpose =
    until === null ? `guaranteed to ${holder}` : `reserved for ${holder} until ${iso(until)}`;
  const when = from === null ? "at any time" : `from ${iso(from)} on`;
  return `Spot Pods borrow ${lent} ${gpuTypeId} that ${are} ${purpose}, so it may be interrupted ${when}.`;
}

const iso = (at: number) => new Date(at).toISOString();
