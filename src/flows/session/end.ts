// Someone signs out, or ends a session of somebody else: any whose key can do no more than his own.

import type { Clock } from "../../base/clock.ts";
import { type ApiKey, beyond } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Session } from "../../domain/session.ts";
import { deleteSession, listSessions } from "../../store/session/session.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { mayManage } from "../account/keys.ts";

export async function signOut({ store }: { store: Store }, session: Session): Promise<void> {
  await store.write(deleteSession, session);
}

export async function endSession(
  { store, clock }: { store: Store; clock: Clock },
  by: ApiKey,
  id: string,
): Promise<void> {
  const refusal = await store.write(end, by, id, clock.now());
  if (refusal) throw refusal;
}

function* end(by: ApiKey, id: string, now: number): Verb<Fault | null> {
  const all = yield* listSessions(by.accountId, now);
  const found = all.find(({ session }) => session.id === id);
  if (!found || !mayManage(by, found.key)) return new Fault("session_not_found", { id });
  const more = beyond(by.permissions, found.key.permissions);
  if (more.length > 0) {
    const detail = `A key cannot end a session that may do more; yours lacks ${more.join(" and ")}.`;
    return new Fault("forbidden", { detail });
  }
  yield* deleteSession(found.session);
  return null;
}
