// Accepting an invitation creates a member with a key. An existing member gets a new key and the
// invitation's role; this is how a lost key is replaced.

import { hashSecret } from "../../base/ids.ts";
import { Fault } from "../../domain/fault.ts";
import { findInvitation } from "../../store/invitation/invitation.ts";
import { type AcceptedInvitation, acceptInvitation } from "../../transactions/invitation/accept.ts";
import { type PasswordDeps, requirePasswords, requireUsable } from "../password/passwords.ts";
import { throwRefusal } from "../throw-refusal.ts";

export type { AcceptedInvitation } from "../../transactions/invitation/accept.ts";

interface Acceptance {
  token: string;
  name: string | null;
  /** Null to have none. */
  password: string | null;
  address: string;
}

export async function accept(
  deps: PasswordDeps,
  { token, name, password, address }: Acceptance,
): Promise<AcceptedInvitation> {
  const { store, clock, ids } = deps;
  const hash = hashSecret(token);
  const fields = {
    memberId: ids.short(14),
    keyId: ids.short(14),
    now: clock.now(),
    name,
    address,
    password: password === null ? null : await newPassword(deps, hash, { name, password }),
  };
  return throwRefusal(store.write(acceptInvitation, hash, fields, ids.secret("fh_")));
}

/** Nothing is hashed for a guessed token. */
async function newPassword(
  deps: PasswordDeps,
  hash: string,
  { name, password }: { name: string | null; password: string },
) {
  const { hasher, issuer } = requirePasswords(deps);
  const invitation = await deps.store.read(findInvitation, hash, deps.clock.now());
  if (!invitation) throw new Fault("invitation_over");
  await requireUsable(password, { email: invitation.email, name: name ?? "" });
  return { hash: await hasher.hash(password), issuer };
}
