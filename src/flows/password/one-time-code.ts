// One-time codes as authenticator apps compute them: six digits of HMAC-SHA-1, every 30 seconds.

import { hashSecret, type Ids } from "../../base/ids.ts";
import type { Vault } from "../../base/vault.ts";
import {
  groupedRecoveryCode,
  plainRecoveryCode,
  RECOVERY_CODES,
  type Totp,
} from "../../domain/password/totp.ts";
import type { CheckedCode } from "../../transactions/password/use-code.ts";

const PERIOD_S = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
const ISSUER = "Freehold";
/** A code is accepted this many steps early or late. */
const WINDOW = 1;

/** What a secret is sealed for. */
const secretOwner = (memberId: string) => `totp:${memberId}`;

/** The new secret in base32, and its address for a QR code. */
export async function newSecret(
  vault: Vault,
  memberId: string,
  email: string,
): Promise<{ secret: string; uri: string; sealed: string }> {
  const { Secret } = await import("otpauth");
  const { base32 } = new Secret({ size: SECRET_BYTES });
  const generator = await generatorOf(base32, email);
  const sealed = vault.seal(base32, secretOwner(memberId));
  return { secret: base32, uri: generator.toString(), sealed };
}

async function generatorOf(base32: string, label: string) {
  const { Secret, TOTP } = await import("otpauth");
  const secret = Secret.fromBase32(base32);
  return new TOTP({
    issuer: ISSUER,
    label,
    algorithm: "SHA1",
    digits: DIGITS,
    period: PERIOD_S,
    secret,
  });
}

/** Null without a code, or for a member without one-time codes. */
export async function checkCode(
  vault: Vault,
  totp: Totp | undefined,
  code: string | undefined,
  now: number,
): Promise<CheckedCode | null> {
  if (!totp || code === undefined) return null;
  const recoveryHash = hashSecret(plainRecoveryCode(code));
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return { totp, step: null, recoveryHash };
  const generator = await generatorOf(vault.open(totp.secret, secretOwner(totp.memberId)), "");
  const delta = generator.validate({ token, timestamp: now, window: WINDOW });
  const step = delta === null ? null : generator.counter({ timestamp: now }) + delta;
  return { totp, step, recoveryHash };
}

/** Codes as people see them, and what is stored of them. */
export function newRecoveryCodes(ids: Ids): { codes: string[]; hashes: string[] } {
  const plain = Array.from({ length: RECOVERY_CODES }, () => ids.short(16));
  return { codes: plain.map(groupedRecoveryCode), hashes: plain.map(hashSecret) };
}
