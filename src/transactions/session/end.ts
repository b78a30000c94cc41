// Ending sessions. A key cannot end a session with more permissions.

import { type ApiKey, beyond } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { mayManage } from "../../domain/key-access.ts";
import type { Session } from "../../domain/session.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { deleteSession } from "../../store/session/session.ts";
import { listKeyedSessions } from "./find.ts";

export function* signOutSession(session: Session): Tx<void> {
  yield* deleteSession(session);
}

export function* endOtherSession(by: ApiKey, id: string, now: number): Tx<Fault | null> {
  const all = yield* listKeyedSessions(by.accountId, now);
  const match = all.find(({ session }) => session.id === id);
  if (!match || !mayManage(by, match.key)) return new Fault("session_not_found", { id });
  const more = beyond(by.permissions, match.key.permissions);
  if (more.length > 0) {
    const detail = `A key cannot end a session with more permissions; yours lacks ${more.join(" and ")}.`;
    return new Fault("forbidden", { detail });
  }
  yield* deleteSession(match.session);
  return null;
}
