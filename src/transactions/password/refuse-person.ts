// Refuses a password to a person of the organization's provider, which alone decides whether the person may sign in.

import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { hasIdentityOf } from "../../store/provider-identity/provider-identity.ts";

/** The issuer is null if there is no provider. */
export function* refusePerson(
  { id, name }: Pick<Member, "id" | "name">,
  issuer: string | null,
): Tx<Fault | null> {
  if (issuer === null || !(yield* hasIdentityOf(id, issuer))) return null;
  return new Fault("passwords_of_provider", { who: name });
}
