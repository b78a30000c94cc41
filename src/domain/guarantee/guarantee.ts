// Guarantees: GPUs of a type that a project may use at any time. Spot Pods borrow those that it does not use. Pure.

import { coverMissing, type KeptGpus, type LendingStock } from "../reservation/lent.ts";
import { type Asker, isFor } from "../reservation/reservation.ts";

/** A standing claim of a project. */
export interface Guarantee {
  accountId: string;
  projectId: string;
  gpuTypeId: string;
  gpuCount: number;
}

/** A guarantee, and what fills it. */
export interface Claimed extends Guarantee {
  /** The name of the project. */
  project: string;
  members: ReadonlySet<string>;
  /** GPUs of the type that its members' on-demand Pods and workers hold. */
  used: number;
  /** GPUs that are reserved for the project or its members and not in use: a part of the guarantee. */
  reserved: number;
  /** How many of those are free, and how many spot Pods hold; absent where nothing asks. */
  reservedStock?: LendingStock;
}

/** A guarantee as it stands. What is in use may be more than the guarantee. */
export type GuaranteeUse = Guarantee & KeptGpus;

/** What its project may still take. */
const remaining = ({ gpuCount, used, reserved }: Claimed) =>
  Math.max(0, gpuCount - used - reserved);

/**
 * How free GPUs and those of spot Pods stand for guarantees, in their order; free ones first. The stock has none that are reserved
 * and not in use, nor spot Pods that fill what is reserved: their GPUs are below zero if that lacks more.
 */
export function guaranteeUses(
  claims: readonly Claimed[],
  stockOf: (gpuTypeId: string) => LendingStock,
): GuaranteeUse[] {
  const left = new Map<string, LendingStock>();
  return claims.map((claim) => {
    const { accountId, projectId, gpuTypeId, gpuCount, used } = claim;
    const stock = left.get(gpuTypeId) ?? stockOf(gpuTypeId);
    const missing = remaining(claim);
    const { free, lent } = coverMissing(stock, missing);
    left.set(gpuTypeId, { free: stock.free - free, lent: stock.lent - lent });
    const reserved = reservedPart(claim, Math.max(0, gpuCount - used - missing));
    const short = Math.max(0, gpuCount - used) - free - lent - reserved.free - reserved.lent;
    return {
      accountId,
      projectId,
      gpuTypeId,
      gpuCount,
      used,
      short,
      free: free + reserved.free,
      lent: lent + reserved.lent,
    };
  });
}

/** How the part of a guarantee that is reserved stands. */
function reservedPart({ reservedStock }: Claimed, count: number): LendingStock {
  return reservedStock ? coverMissing(reservedStock, count) : { free: count, lent: 0 };
}

/** What a caller may take of a GPU type at the most, and why no more. */
export interface Bound {
  /** Below zero if guarantees already lack GPUs. */
  limit: number;
  /** Such as "2 of 4 free NVIDIA A40 are guaranteed to project vision". */
  reason: string;
}

/**
 * Bounds by GPU type: on-demand work of a caller leaves what is guaranteed to projects of others. Where that is more than there is, what is
 * reserved for the caller comes before all guarantees, and then that of the caller's project in the order of the claims: otherwise
 * each would leave all to the other.
 */
export function boundsFor(
  asker: Asker,
  claims: readonly Claimed[],
  stockOf: (gpuTypeId: string) => LendingStock,
  reservedFor: (gpuTypeId: string) => number = () => 0,
): Map<string, Bound> {
  const isOwn = (claim: Claimed) => isFor(claim, asker);
  const unfilled = claims.filter((each) => remaining(each) > 0);
  const bounds = new Map<string, Bound>();
  for (const [gpuTypeId, all] of Map.groupBy(unfilled, (each) => each.gpuTypeId)) {
    const its = all.filter((each) => !isOwn(each));
    if (its.length === 0) continue;
    const stock = stockOf(gpuTypeId);
    const count = missingOf(its);
    const total = stock.free + stock.lent;
    const reserved = Math.max(0, Math.min(reservedFor(gpuTypeId), total));
    const at = all.findIndex(isOwn);
    const turn = at < 0 ? 0 : total - reserved - missingOf(all.slice(0, at));
    const own = at < 0 ? 0 : Math.min(remaining(all[at]!), Math.max(0, turn));
    const entitled = reserved + own;
    const names = its.map(({ accountId, project }) =>
      accountId === asker.accountId ? `project ${project}` : "another account",
    );
    const holders = [...new Set(names)].join(" and ");
    const reason = boundText(gpuTypeId, count, stock, holders);
    const rest = total - count;
    bounds.set(gpuTypeId, { limit: entitled > 0 ? Math.max(entitled, rest) : rest, reason });
  }
  return bounds;
}

const missingOf = (claims: readonly Claimed[]) =>
  claims.reduce((sum, each) => sum + remaining(each), 0);

function boundText(gpuTypeId: string, count: number, stock: LendingStock, holders: string): string {
  const free = Math.max(0, stock.free);
  const total = Math.max(0, free + stock.lent);
  const are = (n: number) => (n === 1 ? "is" : "are");
  const kind = stock.lent > 0 ? "free or spot" : "free";
  if (count <= total) {
    return `${count} of ${total} ${kind} ${gpuTypeId} ${are(count)} guaranteed to ${holders}`;
  }
  const left = total === 0 ? `none ${are(1)} ${kind}` : `only ${total} ${are(total)} ${kind}`;
  return `${count} ${gpuTypeId} ${are(count)} guaranteed to ${holders}, and ${left}`;
}

/** The types of which a member may take a number of GPUs before others that wait. */
export function entitledTypes(
  claims: readonly Claimed[],
  { accountId, projectId }: { accountId: string; projectId: string | null },
  gpuCount: number,
): Set<string> {
  const own = claims.filter((each) => each.accountId === accountId && each.projectId === projectId);
  const enough = own.filter((each) => gpuCount > 0 && remaining(each) >= gpuCount);
  return new Set(enough.map(({ gpuTypeId }) => gpuTypeId));
}

/**
 * Whether GPUs that a member gives up would leave a guarantee unfilled, so that others do not get them. Those that would not count as
 * given up from then on.
 */
export function fillingOf(
  claims: readonly Claimed[],
): (memberId: string | null, gpuTypeId: string, count: number) => boolean {
  const released = new Map<Claimed, number>();
  const leftOf = (each: Claimed) => each.used - (released.get(each) ?? 0);
  return (memberId, gpuTypeId, count) => {
    const its = claims.filter(
      (each) => each.gpuTypeId === gpuTypeId && memberId !== null && each.members.has(memberId),
    );
    if (its.some((each) => leftOf(each) - count < each.gpuCount)) return true;
    for (const each of its) released.set(each, (released.get(each) ?? 0) + count);
    return false;
  };
}
