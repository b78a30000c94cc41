// Setting, changing and removing a member's password.

import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import type { Session } from "../../domain/session.ts";
import { revokeKey } from "../../store/api-key/api-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockMember } from "../../store/member/member.ts";
import { deletePassword, findPassword, savePassword } from "../../store/password/password.ts";
import { deleteResetOf } from "../../store/password/reset.ts";
import { deleteTotp } from "../../store/password/totp.ts";
import { deleteSessionsOf, endResetRight } from "../../store/session/session.ts";
import { forgetMemberTries } from "./count-try.ts";
import { refusePerson } from "./refuse-person.ts";

interface PasswordChange {
  memberId: string;
  accountId: string;
  /** The caller's session, which stays; null for a key. */
  session: Session | null;
  /** The hash that "current" was compared with; null if there was none. */
  before: string | null;
  hash: string;
  issuer: string | null;
  now: number;
}

/** The result's id is the member's. */
export function* changePassword(change: PasswordChange): Tx<{ id: string; setAt: number } | Fault> {
  const { memberId, accountId, session, before, hash, issuer, now } = change;
  const member = yield* lockMember(memberId, accountId);
  if (!member) return new Fault("unauthorized");
  const refusal = yield* refusePerson(member, issuer);
  if (refusal) return refusal;
  const current = yield* findPassword(memberId);
  // Another request changed it meanwhile.
  if ((current?.hash ?? null) !== before) return new Fault("password_wrong");
  yield* replacePassword(member, hash, session?.id ?? null, now);
  if (session?.byReset) yield* endResetRight(session.id);
  return { id: memberId, setAt: now };
}

/** Ends the member's sessions but for one, and a link that waits. The caller holds the member. */
export function* replacePassword(
  { id: memberId, accountId }: Member,
  hash: string,
  exceptSessionId: string | null,
  now: number,
): Tx<void> {
  const keyId = (yield* findPassword(memberId))?.keyId ?? null;
  yield* savePassword({ memberId, accountId, hash, keyId, setAt: now });
  yield* deleteSessionsOf(memberId, accountId, exceptSessionId);
  yield* deleteResetOf(memberId);
  yield* forgetMemberTries(memberId);
}

/** The result's id is the member's. */
export function* removeOwnPassword(
  memberId: string,
  accountId: string,
  now: number,
): Tx<{ id: string } | Fault> {
  const member = yield* lockMember(memberId, accountId);
  if (!member) return new Fault("unauthorized");
  if (!(yield* endPassword(member, now))) return new Fault("no_password");
  return { id: memberId };
}

/** With its key, the key's sessions, one-time codes and links. False if there was none. The caller holds the member. */
export function* endPassword(
  { id, accountId }: Pick<Member, "id" | "accountId">,
  now: number,
): Tx<boolean> {
  const password = yield* findPassword(id);
  yield* deleteResetOf(id);
  yield* deleteTotp(id, accountId);
  if (!password) return false;
  yield* deletePassword(id, accountId);
  if (password.keyId !== null) yield* revokeKey(password.keyId, accountId, now);
  yield* forgetMemberTries(id);
  return true;
}
