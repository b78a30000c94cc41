// Links that set a member's password: made by an administrator, used once.

import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import type { PasswordReset } from "../../domain/password/password.ts";
import type { Totp } from "../../domain/password/totp.ts";
import { isDisabled } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findMember, lockMember } from "../../store/member/member.ts";
import { findPassword } from "../../store/password/password.ts";
import { findReset, saveReset, spendReset } from "../../store/password/reset.ts";
import { deleteTotp, findTotp } from "../../store/password/totp.ts";
import { type NewSession, type OpenedSession, openSession } from "./open-session.ts";
import { refusePerson } from "./refuse-person.ts";
import { replacePassword } from "./set.ts";
import { type CheckedCode, requireCode } from "./use-code.ts";

/** `hash` is that of the link's token. */
export function* addReset(
  reset: PasswordReset,
  hash: string,
  issuer: string | null,
): Tx<Member | Fault> {
  const { memberId: id, accountId } = reset;
  const member = yield* lockMember(id, accountId);
  if (!member) return new Fault("member_not_found", { id });
  const refusal = yield* refusePerson(member, issuer);
  if (refusal) return refusal;
  yield* saveReset(reset, hash);
  return member;
}

export interface OpenReset {
  member: Member;
  reset: PasswordReset;
  totp: Totp | undefined;
}

/** A link that can be used, for the checks before its use. */
export function* openReset(hash: string, now: number): Tx<OpenReset | Fault> {
  const reset = yield* findReset(hash, now);
  const member = reset && (yield* findMember(reset.memberId, reset.accountId));
  if (!member || (yield* isDisabled(member.accountId))) return new Fault("password_reset_over");
  return { member, reset, totp: yield* findTotp(member.id) };
}

interface ResetUse {
  /** That of the link's token. */
  tokenHash: string;
  reset: PasswordReset;
  passwordHash: string;
  code: CheckedCode | null;
  opening: NewSession;
  issuer: string | null;
}

/** What was not used stays valid. */
export function* useReset(use: ResetUse): Tx<OpenedSession | Fault> {
  const { tokenHash, reset, passwordHash, code, opening, issuer } = use;
  const { memberId, accountId } = reset;
  const now = opening.session.createdAt;
  const member = yield* lockMember(memberId, accountId);
  const current = yield* findReset(tokenHash, now);
  if (!member || !current) return new Fault("password_reset_over");
  const refusal =
    (yield* refusePerson(member, issuer)) ??
    (current.removeTotp ? null : yield* requireCode(memberId, code));
  if (refusal) return refusal;
  if (!(yield* spendReset(tokenHash))) return new Fault("password_reset_over");
  if (current.removeTotp) yield* deleteTotp(memberId, accountId);
  yield* replacePassword(member, passwordHash, null, now);
  const password = (yield* findPassword(memberId))!;
  const opened = yield* openSession(member, password, opening, "usePasswordReset");
  if (opened instanceof Fault) throw opened;
  return opened;
}
