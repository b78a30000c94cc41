// A sign-in with a password that was found right.

import { Fault } from "../../domain/fault.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockMember } from "../../store/member/member.ts";
import type { PasswordCandidate } from "../../store/password/password.ts";
import { findPassword } from "../../store/password/password.ts";
import { forgiveSignIn } from "./count-try.ts";
import { type NewSession, type OpenedSession, openSession } from "./open-session.ts";
import { refusePerson } from "./refuse-person.ts";
import { type CheckedCode, requireCode } from "./use-code.ts";

interface PasswordSignIn {
  /** The password that was compared. */
  password: PasswordCandidate;
  /** The hash with today's parameters, if the stored one has earlier ones. */
  newHash: string | null;
  code: CheckedCode | null;
  opening: NewSession;
  /** What the try counted under. */
  subjects: readonly string[];
  /** The organization's provider; null if there is none. */
  issuer: string | null;
}

export function* signInByPassword(signIn: PasswordSignIn): Tx<OpenedSession | Fault> {
  const { password, newHash, code, opening, subjects, issuer } = signIn;
  const member = yield* lockMember(password.memberId, password.accountId);
  const current = yield* findPassword(password.memberId);
  // It was changed, or the member removed, while it was compared.
  if (!member || current?.hash !== password.hash) return new Fault("sign_in_failed");
  const refusal = (yield* refusePerson(member, issuer)) ?? (yield* requireCode(member.id, code));
  if (refusal?.code === "code_required") yield* forgiveSignIn(subjects);
  if (refusal) return refusal;
  const saved = { ...current, hash: newHash ?? current.hash };
  const opened = yield* openSession(member, saved, opening, "signInWithPassword");
  // Thrown, so that the code stays unused.
  if (opened instanceof Fault) throw opened;
  yield* forgiveSignIn(subjects);
  return opened;
}
