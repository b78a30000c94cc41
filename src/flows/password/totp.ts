// The caller's own one-time codes.

import type { ApiKey } from "../../domain/account.ts";
import { findPassword } from "../../store/password/password.ts";
import { findTotp } from "../../store/password/totp.ts";
import { withOwnFullAccess } from "../../transactions/api-key/with-full-access.ts";
import { beginOwnTotp, confirmOwnTotp, removeOwnTotp } from "../../transactions/password/totp.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { requireRight } from "./change.ts";
import { checkCode, newRecoveryCodes, newSecret } from "./one-time-code.ts";
import { type PasswordDeps, requireMember, requirePasswords } from "./passwords.ts";

export async function beginCodes(
  deps: PasswordDeps,
  by: ApiKey,
): Promise<{ secret: string; uri: string }> {
  requirePasswords(deps);
  const { id: memberId, accountId, email } = await requireMember(deps, by);
  const { secret, uri, sealed } = await newSecret(deps.vault, memberId, email);
  const totp = { memberId, accountId, secret: sealed, lastStep: 0, confirmedAt: null };
  const begin = () => beginOwnTotp(totp);
  await throwRefusal(deps.store.write(withOwnFullAccess<{ id: string }>, by, memberId, begin));
  return { secret, uri };
}

/** Returns the recovery codes. */
export async function confirmCodes(
  deps: PasswordDeps,
  by: ApiKey,
  code: string,
  address: string,
): Promise<string[]> {
  const { tries } = requirePasswords(deps);
  const { store, clock, vault, ids } = deps;
  const { id: memberId, accountId } = await requireMember(deps, by);
  await tries.beginOf(memberId, accountId, address);
  const totp = await store.read(findTotp, memberId);
  const { codes, hashes } = newRecoveryCodes(ids);
  const now = clock.now();
  const confirmation = {
    memberId,
    accountId,
    code: await checkCode(vault, totp, code, now),
    recoveryHashes: hashes,
    now,
  };
  await throwRefusal(store.write(confirmOwnTotp, confirmation));
  return codes;
}

interface Proof {
  code?: string | undefined;
  password?: string | undefined;
}

/** A code, or the password; neither for what waits for its first code. */
export async function removeCodes(
  deps: PasswordDeps,
  by: ApiKey,
  { code, password }: Proof,
  address: string,
): Promise<void> {
  const passwords = requirePasswords(deps);
  const { store, clock, vault } = deps;
  const { id: memberId, accountId } = await requireMember(deps, by);
  const caller = { memberId, accountId, address };
  let passwordHash: string | null = null;
  if (password !== undefined) {
    passwordHash = (await store.read(findPassword, memberId))?.hash ?? null;
    await requireRight(passwords, caller, password, passwordHash);
  } else if (code !== undefined) {
    await passwords.tries.beginOf(memberId, accountId, address);
  }
  const totp = await store.read(findTotp, memberId);
  const checked = await checkCode(vault, totp, code, clock.now());
  const removal = { memberId, accountId, code: checked, passwordHash };
  // The password alone then has full access, so the caller must have it too.
  const remove = () => removeOwnTotp(removal);
  await throwRefusal(store.write(withOwnFullAccess<{ id: string }>, by, memberId, remove));
}
