// What fills reservations, when workers would be drained for others. Pure.

import { type Asker, type Claim, type HeldOfType, withheldFrom } from "./reservation.ts";

/**
 * Whether a caller would not get the GPUs that an owner gives up, because they fill what is reserved for others. GPUs that the caller
 * would get count as given up from then on, so that all of them together leave what is reserved.
 */
export function fillingFor(
  caller: Asker,
  claims: readonly Claim[],
  heldBy: (accountId: string, gpuTypeId: string) => HeldOfType,
): (owner: Asker, gpuTypeId: string, count: number) => boolean {
  const released = new Map<string, number>();
  const keyOf = (...of: [string, string, string | null]) => JSON.stringify(of);
  const left = (accountId: string, gpuTypeId: string): HeldOfType =>
    new Map(
      [...heldBy(accountId, gpuTypeId)].map(([memberId, count]) => {
        return [memberId, count - (released.get(keyOf(accountId, gpuTypeId, memberId)) ?? 0)];
      }),
    );
  const withheld = (gpuTypeId: string) =>
    withheldFrom(caller, claims, left).get(gpuTypeId)?.count ?? 0;
  return ({ accountId, memberId }, gpuTypeId, count) => {
    const key = keyOf(accountId, gpuTypeId, memberId);
    const already = released.get(key) ?? 0;
    const before = withheld(gpuTypeId);
    released.set(key, already + count);
    if (withheld(gpuTypeId) === before) return false;
    released.set(key, already);
    return true;
  };
}
