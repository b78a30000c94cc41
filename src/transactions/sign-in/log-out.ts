// The logout that the provider sent: the sign-ins of one of its sessions, or all of a person's, end in one commit.

import { MINUTE_MS } from "../../base/units.ts";
import type { SignIn } from "../../domain/sign-in/sign-in.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { type ProviderSessions, signInsOf } from "../../store/sign-in/sign-in.ts";
import { useLogoutToken } from "../../store/sign-in/used-logout-token.ts";
import { endSignIn } from "./end.ts";
import { holdSignIns } from "./hold.ts";

export interface ProviderLogout extends ProviderSessions {
  tokenHash: string;
  tokenExpiresAt: number;
  now: number;
}

/** Longer than a sign-in takes from the exchange of its code until it is stored. */
const REMEMBERED_MS = 10 * MINUTE_MS;

/** Returns the sign-ins that ended; null if the token was used before. */
export function* logOut(logout: ProviderLogout): Tx<SignIn[] | null> {
  const { tokenHash, tokenExpiresAt, issuer, subject, session, now } = logout;
  yield* holdSignIns();
  const expiresAt = Math.max(tokenExpiresAt, now + REMEMBERED_MS);
  const token = { hash: tokenHash, issuer, subject, session, usedAt: now, expiresAt };
  if (!(yield* useLogoutToken(token))) return null;
  const signIns = yield* signInsOf(logout);
  const reason =
    session === null
      ? "the provider ended all sessions of the person"
      : "the provider ended the session";
  for (const signIn of signIns) yield* endSignIn(signIn, reason, now);
  return signIns;
}
