// Signing in with a password.

import { hashSecret } from "../../base/ids.ts";
import { Fault } from "../../domain/fault.ts";
import type { PasswordCandidate } from "../../store/password/password.ts";
import { findTotp } from "../../store/password/totp.ts";
import type { TriedPasswords } from "../../transactions/password/count-try.ts";
import type { NewSession } from "../../transactions/password/open-session.ts";
import { signInByPassword } from "../../transactions/password/sign-in.ts";
import { draftSession, type SessionSource } from "../session/draft-session.ts";
import type { SignedIn } from "../session/sign-in.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { checkCode } from "./one-time-code.ts";
import { type PasswordDeps, type Passwords, requirePasswords } from "./passwords.ts";

/** Where a request to sign in comes from. */
export interface SignInSource extends SessionSource {
  /** The network of the address, whose tries count together. */
  triesNetwork: string;
}

export interface PasswordRequest extends SignInSource {
  email: string;
  password: string;
  code?: string | undefined;
  accountId?: string | undefined;
}

/** The limits of tries, the answers and the work for them are the same for an address that is no member's. */
export async function signInWithPassword(
  deps: PasswordDeps,
  request: PasswordRequest,
): Promise<SignedIn> {
  const passwords = requirePasswords(deps);
  const { store, clock, vault } = deps;
  const email = request.email.trim().toLowerCase();
  const { accountId = null, address, triesNetwork, code } = request;
  const attempt = { email, accountId, address, network: triesNetwork };
  const tried = await passwords.tries.begin(attempt);
  const password = await matching(passwords, tried, request.password);
  const totp = await store.read(findTotp, password.memberId);
  const isOutdated = passwords.hasher.isOutdated(password.hash);
  const { opening, secret } = newSession(deps, request);
  const opened = await throwRefusal(
    store.write(signInByPassword, {
      password,
      newHash: isOutdated ? await passwords.hasher.hash(request.password) : null,
      code: await checkCode(vault, totp, code, clock.now()),
      opening,
      subjects: tried.subjects,
      issuer: passwords.issuer,
    }),
  );
  return { ...opened, secret };
}

async function matching(
  { hasher, tries }: Passwords,
  tried: TriedPasswords,
  password: string,
): Promise<PasswordCandidate> {
  const { candidates } = tried;
  if (candidates.length === 0) await hasher.verify(password, null);
  const matches: PasswordCandidate[] = [];
  for (const each of candidates) {
    if (await hasher.verify(password, each.hash)) matches.push(each);
  }
  const [first] = matches;
  if (!first) throw new Fault("sign_in_failed");
  if (matches.length === 1) return first;
  await tries.forgive(tried);
  const accounts = matches.map(({ accountId, accountName }) => {
    return { id: accountId, name: accountName };
  });
  const names = accounts.map(({ id, name }) => `${name} (${id})`).join(", ");
  throw new Fault("several_accounts", { accounts: names }, { accounts });
}

/** A session that is not stored yet, with its secret. */
export function newSession(
  { clock, ids, protocol }: Pick<PasswordDeps, "clock" | "ids" | "protocol">,
  source: SessionSource,
  more: { byReset?: true } = {},
): { opening: NewSession; secret: string } {
  const { session, hash, secret } = draftSession(ids, source, clock.now(), protocol.sessionMs);
  const keyHash = hashSecret(ids.secret("fh_"));
  const opening = { session: { ...session, ...more }, hash, keyId: ids.short(14), keyHash };
  return { opening, secret };
}
