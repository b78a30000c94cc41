// Signing out, and ending another session.

import type { Clock } from "../../base/clock.ts";
import type { ApiKey } from "../../domain/account.ts";
import type { Session } from "../../domain/session.ts";
import type { Store } from "../../store/engine/store.ts";
import { endOtherSession, signOutSession } from "../../transactions/session/end.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function signOut({ store }: { store: Store }, session: Session): Promise<void> {
  await store.write(signOutSession, session);
}

export async function endSession(
  { store, clock }: { store: Store; clock: Clock },
  by: ApiKey,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(endOtherSession, by, id, clock.now()));
}
