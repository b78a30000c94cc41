// Requires that the member that creates something is still one: the request may have passed before the removal committed.

import { Fault } from "../../domain/fault.ts";
import type { Owned } from "../../domain/member/member.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockMembershipShared } from "../../store/member/member.ts";

/** Holds the member until the transaction commits; null also for what belongs to the account alone. */
export function* requireMembership({ owner }: Owned): Tx<Fault | null> {
  if (!owner || (yield* lockMembershipShared(owner.id))) return null;
  return new Fault("unauthorized");
}
