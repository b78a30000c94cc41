// The use of a one-time code or a recovery code, once on all replicas.

import { Fault } from "../../domain/fault.ts";
import { needsCode, type Totp } from "../../domain/password/totp.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findTotp, spendRecoveryCode, useStep } from "../../store/password/totp.ts";

/** A code that was checked against a secret. */
export interface CheckedCode {
  totp: Totp;
  /** The time step whose code it is; null if it is none of the app's. */
  step: number | null;
  /** The hash to find it by if it is a recovery code. */
  recoveryHash: string;
}

/** Null also for a member without one-time codes. The caller holds the member. */
export function* requireCode(memberId: string, code: CheckedCode | null): Tx<Fault | null> {
  if (!needsCode(yield* findTotp(memberId))) return null;
  if (!code) return new Fault("code_required");
  return (yield* useCode(code)) ? null : new Fault("code_refused");
}

/** False if it is not valid, or was used before. */
export function* useCode({ totp, step, recoveryHash }: CheckedCode): Tx<boolean> {
  if (step !== null) return yield* useStep(totp, step);
  return yield* spendRecoveryCode(totp.memberId, recoveryHash);
}
