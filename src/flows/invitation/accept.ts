// Accepting an invitation creates a member with a key. An existing member gets a new key and the
// invitation's role; this is how a lost key is replaced.

import type { Clock } from "../../base/clock.ts";
import { hashSecret, type Ids } from "../../base/ids.ts";
import type { Store } from "../../store/engine/store.ts";
import { type AcceptedInvitation, acceptInvitation } from "../../transactions/invitation/accept.ts";
import { throwRefusal } from "../throw-refusal.ts";

export type { AcceptedInvitation } from "../../transactions/invitation/accept.ts";

export async function accept(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  { token, name, address }: { token: string; name: string | null; address: string },
): Promise<AcceptedInvitation> {
  const secret = ids.secret("fh_");
  const fields = { memberId: ids.short(14), keyId: ids.short(14), now: clock.now(), name, address };
  return throwRefusal(store.write(acceptInvitation, hashSecret(token), fields, secret));
}
