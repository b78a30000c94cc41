// The steps of a check: a replica claims it, asks the provider, and writes what the answer means.

import type { Role } from "../../domain/member/roles.ts";
import type { RoleDecision } from "../../domain/sign-in/decide-role.ts";
import { CHECK_CLAIM_MS, type SignIn } from "../../domain/sign-in/sign-in.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockMember } from "../../store/member/member.ts";
import {
  confirmSignIn,
  isSignInInUse,
  lockSignIn,
  rescheduleSignIn,
} from "../../store/sign-in/sign-in.ts";
import { accountOfRule } from "./account-of-rule.ts";
import { endSignIn } from "./end.ts";
import { saveFromProvider } from "./save-from-provider.ts";

/** Undefined if another replica checks it, or if nothing depends on it any more. */
export function* claimCheck({ id, nextCheckAt }: SignIn, now: number): Tx<SignIn | undefined> {
  const signIn = yield* lockSignIn(id);
  if (signIn?.nextCheckAt !== nextCheckAt) return undefined;
  if (!(yield* isSignInInUse(signIn, now))) {
    yield* endSignIn(signIn, null, now);
    return undefined;
  }
  yield* rescheduleSignIn(id, now + CHECK_CLAIM_MS);
  return signIn;
}

/** The provider did not answer. */
export function* postponeCheck(id: string, at: number): Tx<void> {
  yield* rescheduleSignIn(id, at);
}

/** The provider or the operator withdrew the sign-in. */
export function* withdrawSignIn(id: string, reason: string, now: number): Tx<void> {
  const signIn = yield* lockSignIn(id);
  if (signIn) yield* endSignIn(signIn, reason, now);
}

export interface Confirmation {
  signIn: Pick<SignIn, "id" | "memberId" | "accountId">;
  decision: RoleDecision;
  session: string | null;
  refreshToken: string | null;
  nextCheckAt: number;
  now: number;
}

/** Writes the role again. Returns why the sign-in ended, if it did. */
export function* saveCheck(confirmation: Confirmation): Tx<string | null> {
  const { decision, session, refreshToken, nextCheckAt, now } = confirmation;
  const { id, memberId, accountId } = confirmation.signIn;
  const member = yield* lockMember(memberId, accountId);
  const signIn = yield* lockSignIn(id);
  if (!signIn) return null;
  const outcome = member ? yield* roleIn(signIn, decision) : { reason: "the member was removed" };
  if ("reason" in outcome) {
    yield* endSignIn(signIn, outcome.reason, now);
    return outcome.reason;
  }
  yield* saveFromProvider(member!, { ...member!, role: outcome.role ?? member!.role }, now);
  yield* confirmSignIn({ id, session, refreshToken, nextCheckAt });
  return null;
}

/** A role of null is unchanged: the provider does not name the groups. */
function* roleIn(
  { accountId }: SignIn,
  decision: RoleDecision,
): Tx<{ role: Role | null } | { reason: string }> {
  switch (decision.kind) {
    case "unknown":
      return { role: null };
    case "none":
      return { reason: "none of the member's groups gives a role" };
    case "conflict":
      return { reason: "the member's groups give two roles that exclude each other" };
    case "role":
      if ((yield* accountOfRule(decision.account)) === accountId) return { role: decision.role };
      return { reason: "the member's groups belong to another account" };
  }
}
