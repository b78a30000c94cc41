// Creates or changes something that opens everything, such as an invitation or an account. The key must open everything too, also
// when the change commits, and have no budget, which the new access would not have.

import { type ApiKey, beyond, everything } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { roleCovers } from "../../domain/member/roles.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { requireUnbudgetedKey } from "../budget/require-unbudgeted-key.ts";
import { lockCaller } from "./lock-caller.ts";

/** `memberId` is the member that `create` changes, if it does. */
export function* withFullAccess<Result>(
  caller: ApiKey,
  create: () => Tx<Result | Fault>,
  memberId?: string,
): Tx<Result | Fault> {
  const locked = yield* lockCaller(caller, { ...(memberId !== undefined && { memberId }) });
  if (locked instanceof Fault) return locked;
  const { by } = locked;
  // The member may have lost the role that the request was authorized with.
  if (!roleCovers(by.member?.role ?? null, "account", "write")) {
    const detail = `Your role, ${by.member?.role}, may not manage the account.`;
    return new Fault("forbidden", { detail });
  }
  return (yield* refuseLimitedKey(by)) ?? (yield* create());
}

/** Changes how the caller's own member signs in, which a member of any role may do: a session by password has everything that the role has. */
export function* withOwnFullAccess<Result>(
  caller: ApiKey,
  memberId: string,
  change: () => Tx<Result | Fault>,
): Tx<Result | Fault> {
  const locked = yield* lockCaller(caller, { memberId });
  if (locked instanceof Fault) return locked;
  return (yield* refuseLimitedKey(locked.by)) ?? (yield* change());
}

function* refuseLimitedKey(by: ApiKey): Tx<Fault | null> {
  const more = beyond(by.permissions, everything);
  if (more.length > 0) {
    const detail = `What this makes opens everything, and your key lacks ${more.join(" and ")}.`;
    return new Fault("forbidden", { detail });
  }
  return yield* requireUnbudgetedKey(by);
}
