// The end of a sign-in, with the API keys that depend on it and therefore with the sessions of these keys.

import type { SignIn } from "../../domain/sign-in/sign-in.ts";
import { revokeKeysOfSignIn } from "../../store/api-key/api-key.ts";
import { appendSystemAct } from "../../store/audit/audit.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { deleteSignIn, lockSignIn } from "../../store/sign-in/sign-in.ts";

/** `reason` is for the audit log; null if the sign-in was not used any more. */
export function* endSignIn(
  { id, accountId, memberId }: SignIn,
  reason: string | null,
  now: number,
): Tx<void> {
  // A key that is being added to the sign-in is committed before, or finds no sign-in.
  if (!(yield* lockSignIn(id))) return;
  yield* revokeKeysOfSignIn(id, accountId, now);
  yield* deleteSignIn(id);
  yield* notify(topic.changed(accountId, "member", memberId)); // the member's SSH may depend on it
  if (reason === null) return;
  yield* notify(topic.changed(accountId, "session", id));
  const resource = { resourceType: "member", resourceId: memberId };
  yield* appendSystemAct({
    accountId,
    at: now,
    operation: "endSignIn",
    ...resource,
    detail: reason,
  });
}
