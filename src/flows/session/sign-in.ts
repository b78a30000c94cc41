// Signing in with a key. The browser gets a session secret that expires.

import { hashSecret } from "../../base/ids.ts";
import type { ApiKey } from "../../domain/account.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { Session } from "../../domain/session.ts";
import { beginSession } from "../../transactions/session/begin.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { draftSession, type SessionSource } from "./draft-session.ts";

export interface SignInDeps extends FlowDeps {
  protocol: Protocol;
}

export interface SignInRequest extends SessionSource {
  key: string;
}

export interface SignedIn {
  session: Session;
  key: ApiKey;
  /** The session's secret; only its hash is stored. */
  secret: string;
}

export async function signIn(
  { store, clock, ids, protocol }: SignInDeps,
  { key: keyText, ...source }: SignInRequest,
): Promise<SignedIn> {
  const { session, hash, secret } = draftSession(ids, source, clock.now(), protocol.sessionMs);
  const result = await throwRefusal(
    store.write(beginSession, hashSecret(keyText.trim()), session, hash),
  );
  return { ...result, secret };
}
