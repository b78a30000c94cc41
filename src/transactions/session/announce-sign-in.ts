// The event and the audit entry of a session that a member began.

import type { ApiKey } from "../../domain/account.ts";
import { signedIn } from "../../domain/notification/access-events.ts";
import type { Session } from "../../domain/session.ts";
import { appendEntry } from "../../store/audit/audit.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { raiseEvent } from "../notification/raise.ts";

export function* announceSignIn(
  session: Session,
  key: ApiKey,
  memberId: string,
  operation: string,
): Tx<void> {
  const { accountId, createdAt, address } = session;
  yield* raiseEvent(accountId, signedIn(session, key));
  yield* appendEntry({
    accountId,
    at: createdAt,
    actor: { kind: "key", keyId: key.id },
    via: "rest",
    operation,
    resourceType: "member",
    resourceId: memberId,
    outcome: "done",
    detail: "",
    address,
  });
}
