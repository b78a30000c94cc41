// Refuses a password to a person of the organization's provider, which decides whether the person may sign in.

import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { hasIdentity } from "../../store/provider-identity/provider-identity.ts";

export function* ofProvider({ id, name }: Pick<Member, "id" | "name">): Tx<Fault | null> {
  return (yield* hasIdentity(id)) ? new Fault("passwords_of_provider", { who: name }) : null;
}
