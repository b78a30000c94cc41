// Setting, changing and removing the caller's own password.

import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Session } from "../../domain/session.ts";
import { findPassword } from "../../store/password/password.ts";
import { withOwnFullAccess } from "../../transactions/api-key/with-full-access.ts";
import { changePassword, removeOwnPassword } from "../../transactions/password/set.ts";
import { throwRefusal } from "../throw-refusal.ts";
import {
  type PasswordDeps,
  type Passwords,
  requireMember,
  requirePasswords,
  requireUsable,
} from "./passwords.ts";

interface NewPassword {
  password: string;
  current?: string | undefined;
}

export interface Caller {
  by: ApiKey;
  session: Session | null;
  address: string;
}

export async function setOwnPassword(
  deps: PasswordDeps,
  { by, session, address }: Caller,
  { password, current }: NewPassword,
): Promise<{ setAt: number }> {
  const passwords = requirePasswords(deps);
  const member = await requireMember(deps, by);
  await requireUsable(password, member);
  const before = (await deps.store.read(findPassword, member.id))?.hash ?? null;
  if (before !== null && !session?.byReset) {
    if (current === undefined) {
      const detail = '"current" must be the password so far, because you have one.';
      throw new Fault("invalid_body", { detail });
    }
    await requireRight(passwords, { ...member, memberId: member.id, address }, current, before);
  }
  const change = {
    memberId: member.id,
    accountId: member.accountId,
    session,
    before,
    hash: await passwords.hasher.hash(password),
    issuer: passwords.issuer,
    now: deps.clock.now(),
  };
  // The member's sessions then have full access, so the caller must have it too.
  const save = () => changePassword(change);
  return throwRefusal(deps.store.write(withOwnFullAccess<{ setAt: number }>, by, member.id, save));
}

/** Counts the try. Throws a fault if the password is wrong. */
export async function requireRight(
  { hasher, tries }: Passwords,
  { memberId, accountId, address }: { memberId: string; accountId: string; address: string },
  password: string,
  hash: string | null,
): Promise<void> {
  await tries.beginOf(memberId, accountId, address);
  if (!(await hasher.verify(password, hash))) throw new Fault("password_wrong");
  await tries.forgiveOf(memberId);
}

/** Also where passwords are off. */
export async function removePasswordOf(deps: PasswordDeps, by: ApiKey): Promise<void> {
  const { id, accountId } = await requireMember(deps, by);
  await throwRefusal(deps.store.write(removeOwnPassword, id, accountId, deps.clock.now()));
}
