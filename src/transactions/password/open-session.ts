// The session of a member that signed in with a password, by a key whose secret is not given out.

import { type ApiKey, sessionKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import type { Password } from "../../domain/password/password.ts";
import type { Session } from "../../domain/session.ts";
import { findKey, insertKey } from "../../store/api-key/api-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { savePassword } from "../../store/password/password.ts";
import { insertSession } from "../../store/session/session.ts";
import { requireRoom } from "../account/require-room.ts";
import { announceSignIn } from "../session/announce-sign-in.ts";

/** What a session by a password begins with. */
export interface NewSession {
  session: Omit<Session, "accountId" | "keyId">;
  hash: string;
  /** The id and the hash of the key, if the password has none yet. */
  keyId: string;
  keyHash: string;
}

export interface OpenedSession {
  session: Session;
  key: ApiKey;
}

/** Saves the password with its key. The caller holds the member. */
export function* openSession(
  member: Member,
  password: Password,
  { session: fields, hash, keyId, keyHash }: NewSession,
  operation: string,
): Tx<OpenedSession | Fault> {
  const { accountId } = member;
  const own = password.keyId === null ? undefined : yield* findKey(password.keyId, accountId);
  if (own && own.disabledAt !== null) {
    const detail = "The key of your password was disabled; ask an administrator of the account.";
    return new Fault("forbidden", { detail });
  }
  const name = "Sign-in with a password";
  const key = own ?? sessionKey({ id: keyId, name }, member, fields.createdAt);
  if (!own) {
    const full = yield* requireRoom("apiKey", accountId);
    if (full) return full;
    yield* insertKey(key, keyHash);
  }
  yield* savePassword({ ...password, keyId: key.id });
  const session = { ...fields, accountId, keyId: key.id };
  yield* insertSession(session, hash);
  yield* announceSignIn(session, key, member.id, operation);
  return { session, key };
}
