// Changing and removing a member. The change applies immediately to all keys of the member.

import type { Clock } from "../../base/clock.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import type { Store } from "../../store/engine/store.ts";
import { withFullAccess } from "../../transactions/api-key/with-full-access.ts";
import { saveMemberChanges } from "../../transactions/member/change.ts";
import { type Departure, removeOwnMember } from "../../transactions/member/remove.ts";
import { currentActor } from "../audit/action.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function changeMemberOf(
  { store }: { store: Store },
  by: ApiKey,
  id: string,
  changes: Partial<Pick<Member, "name" | "role">>,
): Promise<Member> {
  const save = () => saveMemberChanges(by.accountId, id, changes);
  return throwRefusal(store.write(withFullAccess<Member>, by, save, id));
}

export async function removeMemberOf(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
  departure: Departure,
): Promise<void> {
  if (departure.handOverTo === id) {
    const detail = '"handOverTo" must be the id of another member.';
    throw new Fault("invalid_query", { detail });
  }
  const removal = { accountId, id, ...departure, by: currentActor() };
  await throwRefusal(store.write(removeOwnMember, removal, clock.now()));
}
