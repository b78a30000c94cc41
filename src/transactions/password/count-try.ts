// The count of tries of passwords and codes, before the password is hashed: parallel tries on all replicas count together.

import { counted } from "../../base/text/counted.ts";
import { MINUTE_MS } from "../../base/units.ts";
import { Fault } from "../../domain/fault.ts";
import { MAX_TRIES, TRY_WINDOW_MS } from "../../domain/password/tries.ts";
import { appendEntry } from "../../store/audit/audit.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { type PasswordCandidate, passwordsAt } from "../../store/password/password.ts";
import {
  countTry,
  forgetTriesOf,
  forgiveTry,
  type TryCount,
} from "../../store/sign-in/sign-in-try.ts";

/** What one try to sign in is compared with. */
export interface TriedPasswords {
  candidates: PasswordCandidate[];
  /** What the try counted under. */
  subjects: string[];
}

export interface PasswordAttempt {
  email: string;
  accountId: string | null;
  address: string;
  /** What it counts under: the network, and the e-mail address in any account. */
  subjects: { network: string; email: string };
}

const subjectOf = (memberId: string) => `member:${memberId}`;

/**
 * An address has one count, whether or not it is a member's and in whichever account, so that the limit does not tell.
 * A network past its limit does not use up the address's tries.
 */
export function* countSignInTry(attempt: PasswordAttempt, now: number): Tx<TriedPasswords | Fault> {
  const { email, accountId, address, subjects } = attempt;
  const ofNetwork = yield* countTry(subjects.network, now, TRY_WINDOW_MS);
  if (ofNetwork.tries > MAX_TRIES.network) return tooMany(ofNetwork, "from your network", now);
  const candidates = (yield* passwordsAt(email)).filter(
    (each) => accountId === null || each.accountId === accountId,
  );
  const tries = yield* countTry(subjects.email, now, TRY_WINDOW_MS);
  for (const each of candidates) yield* recordLimit(tries, each, address, now);
  if (tries.tries > MAX_TRIES.member) return tooMany(tries, "with this address", now);
  return { candidates, subjects: Object.values(subjects) };
}

/** For a try that was no guess. */
export function* forgiveSignIn(subjects: readonly string[]): Tx<void> {
  for (const each of subjects) yield* forgiveTry(each);
}

type Subject = Pick<PasswordCandidate, "memberId" | "accountId">;

export function* countMemberTry(member: Subject, address: string, now: number): Tx<Fault | null> {
  const tries = yield* countTry(subjectOf(member.memberId), now, TRY_WINDOW_MS);
  yield* recordLimit(tries, member, address, now);
  return tries.tries > MAX_TRIES.member ? tooMany(tries, "with your password", now) : null;
}

export function* forgiveMemberTry(memberId: string): Tx<void> {
  yield* forgiveTry(subjectOf(memberId));
}

/** For a member whose password was replaced. */
export function* forgetMemberTries(memberId: string): Tx<void> {
  yield* forgetTriesOf(subjectOf(memberId));
}

/** Records the first try past the limit, and not each of a flood. */
function* recordLimit(
  { tries }: TryCount,
  { memberId, accountId }: Subject,
  address: string,
  now: number,
): Tx<void> {
  if (tries !== MAX_TRIES.member + 1) return;
  yield* appendEntry({
    accountId,
    at: now,
    actor: { kind: "system" },
    via: "rest",
    operation: "signInWithPassword",
    resourceType: "member",
    resourceId: memberId,
    outcome: "refused",
    detail: "too_many_tries",
    address,
  });
}

function tooMany({ endsAt }: TryCount, whose: string, now: number): Fault {
  const leftMs = Math.max(endsAt - now, 1_000);
  const detail = `${whose}; try again in ${counted(Math.ceil(leftMs / MINUTE_MS), "minute")}`;
  return new Fault("too_many_tries", { detail }, { retryAfterS: Math.ceil(leftMs / 1_000) });
}
