// The logout that the provider sent: the sign-ins of one of its sessions, or all of a person's, end in one commit.

import type { SignIn } from "../../domain/sign-in/sign-in.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { type ProviderSessions, signInsOf } from "../../store/sign-in/sign-in.ts";
import { useLogoutToken } from "../../store/sign-in/used-logout-token.ts";
import { endSignIn } from "./end.ts";

export interface ProviderLogout extends ProviderSessions {
  tokenHash: string;
  tokenExpiresAt: number;
  now: number;
}

/** Returns the sign-ins that ended; null if the token was used before. */
export function* logOut(logout: ProviderLogout): Tx<SignIn[] | null> {
  const { tokenHash, tokenExpiresAt, session, now } = logout;
  if (!(yield* useLogoutToken(tokenHash, tokenExpiresAt))) return null;
  const signIns = yield* signInsOf(logout);
  const reason =
    session === null
      ? "the provider ended all sessions of the person"
      : "the provider ended the session";
  for (const signIn of signIns) yield* endSignIn(signIn, reason, now);
  return signIns;
}
