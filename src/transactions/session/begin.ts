// The start of a session by an API key.

import { covers } from "../../domain/access.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { signedIn } from "../../domain/notification/access-events.ts";
import type { Session } from "../../domain/session.ts";
import { keyByHash } from "../../store/api-key/api-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { insertSession } from "../../store/session/session.ts";
import { raiseEvent } from "../notification/raise.ts";

export function* beginSession(
  keyHash: string,
  fields: Omit<Session, "accountId" | "keyId">,
  hash: string,
): Tx<{ session: Session; key: ApiKey } | Fault> {
  const key = yield* keyByHash(keyHash);
  if (!key) return new Fault("unauthorized");
  if (!covers(key.permissions.rest, "read")) {
    const detail = "The console needs a key with read permission for the rest interface.";
    return new Fault("forbidden", { detail });
  }
  const session = { ...fields, accountId: key.accountId, keyId: key.id };
  yield* insertSession(session, hash);
  yield* raiseEvent(key.accountId, signedIn(session, key));
  return { session, key };
}
