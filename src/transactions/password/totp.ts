// A member's one-time codes: begun, confirmed by a code, and removed.

import { Fault } from "../../domain/fault.ts";
import type { Totp } from "../../domain/password/totp.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockMember } from "../../store/member/member.ts";
import { findPassword } from "../../store/password/password.ts";
import {
  beginTotp,
  confirmTotp,
  deleteTotp,
  findTotp,
  insertRecoveryCodes,
  useStep,
} from "../../store/password/totp.ts";
import { forgiveMemberTry } from "./count-try.ts";
import { type CheckedCode, useCode } from "./use-code.ts";

type Changed = { id: string };

export function* beginOwnTotp(totp: Totp): Tx<Changed | Fault> {
  const { memberId, accountId } = totp;
  if (!(yield* lockMember(memberId, accountId))) return new Fault("unauthorized");
  if (!(yield* findPassword(memberId))) return new Fault("no_password");
  return (yield* beginTotp(totp)) ? { id: memberId } : new Fault("totp_on");
}

interface Confirmation {
  memberId: string;
  accountId: string;
  code: CheckedCode | null;
  recoveryHashes: readonly string[];
  now: number;
}

export function* confirmOwnTotp(confirmation: Confirmation): Tx<Changed | Fault> {
  const { memberId, accountId, code, recoveryHashes, now } = confirmation;
  if (!(yield* lockMember(memberId, accountId))) return new Fault("unauthorized");
  const totp = yield* findTotp(memberId);
  if (!totp) return new Fault("totp_not_begun");
  if (totp.confirmedAt !== null) return new Fault("totp_on");
  const { step = null } = code ?? {};
  if (step === null || !(yield* useStep(code!.totp, step))) return new Fault("code_refused");
  yield* confirmTotp(totp, now);
  yield* insertRecoveryCodes(totp, recoveryHashes);
  yield* forgiveMemberTry(memberId);
  return { id: memberId };
}

interface Removal {
  memberId: string;
  accountId: string;
  code: CheckedCode | null;
  /** The hash of the password that was given and right; null if none was given. */
  passwordHash: string | null;
}

/** What waits for its first code is removed without one. */
export function* removeOwnTotp(removal: Removal): Tx<Changed | Fault> {
  const { memberId, accountId, code, passwordHash } = removal;
  if (!(yield* lockMember(memberId, accountId))) return new Fault("unauthorized");
  const totp = yield* findTotp(memberId);
  if (!totp) return new Fault("totp_not_begun");
  const refusal = totp.confirmedAt === null ? null : yield* refusalOf(memberId, code, passwordHash);
  if (refusal) return refusal;
  yield* deleteTotp(memberId, accountId);
  if (code !== null && passwordHash === null) yield* forgiveMemberTry(memberId);
  return { id: memberId };
}

function* refusalOf(
  memberId: string,
  code: CheckedCode | null,
  passwordHash: string | null,
): Tx<Fault | null> {
  if (passwordHash !== null) {
    const current = yield* findPassword(memberId);
    return current?.hash === passwordHash ? null : new Fault("password_wrong");
  }
  if (code === null) {
    return new Fault("invalid_body", { detail: 'Give a "code" of your app, or the "password".' });
  }
  return (yield* useCode(code)) ? null : new Fault("code_refused");
}
