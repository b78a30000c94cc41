// Signing out, and ending another session. A key cannot end a session with more permissions.

import type { Clock } from "../../base/clock.ts";
import { type ApiKey, beyond } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Session } from "../../domain/session.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { deleteSession } from "../../store/session/session.ts";
import { listKeyedSessions } from "../../transactions/session/find.ts";
import { mayManage } from "../account/keys.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function signOut({ store }: { store: Store }, session: Session): Promise<void> {
  await store.write(deleteSession, session);
}

export async function endSession(
  { store, clock }: { store: Store; clock: Clock },
  by: ApiKey,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(end, by, id, clock.now()));
}

function* end(by: ApiKey, id: string, now: number): Tx<Fault | null> {
  const all = yield* listKeyedSessions(by.accountId, now);
  const found = all.find(({ session }) => session.id === id);
  if (!found || !mayManage(by, found.key)) return new Fault("session_not_found", { id });
  const more = beyond(by.permissions, found.key.permissions);
  if (more.length > 0) {
    const detail = `A key cannot end a session with more permissions; yours lacks ${more.join(" and ")}.`;
    return new Fault("forbidden", { detail });
  }
  yield* deleteSession(found.session);
  return null;
}
