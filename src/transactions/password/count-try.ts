// The count of tries of passwords and codes, before the password is hashed: parallel tries on all replicas count together.

import { MINUTE_MS } from "../../base/units.ts";
import { Fault } from "../../domain/fault.ts";
import { MAX_TRIES, TRY_WINDOW_MS } from "../../domain/password/tries.ts";
import { appendEntry } from "../../store/audit/audit.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { type PasswordCandidate, passwordsAt } from "../../store/password/password.ts";
import {
  countTry,
  forgiveTries,
  forgiveTry,
  type TryCount,
} from "../../store/sign-in/sign-in-try.ts";

/** What one try to sign in is compared with. */
export interface TriedPasswords {
  candidates: PasswordCandidate[];
  /** What the network's tries count under. */
  network: string;
}

export interface PasswordAttempt {
  email: string;
  accountId: string | null;
  address: string;
  network: string;
  /** What tries count under if no member has the address. */
  unknown: string;
}

const subjectOf = (memberId: string) => `member:${memberId}`;

/**
 * Each member with the address has a count of its own, so that a person who knows one member's password cannot clear another's.
 * A network past its limit does not use up the members' tries.
 */
export function* countSignInTry(attempt: PasswordAttempt, now: number): Tx<TriedPasswords | Fault> {
  const { email, accountId, address, network, unknown } = attempt;
  const ofNetwork = yield* countTry(network, now, TRY_WINDOW_MS);
  if (ofNetwork.tries > MAX_TRIES.network) return tooMany(ofNetwork, "from your network", now);
  const all = (yield* passwordsAt(email)).filter(
    (each) => accountId === null || each.accountId === accountId,
  );
  if (all.length === 0) {
    const tries = yield* countTry(unknown, now, TRY_WINDOW_MS);
    return tries.tries > MAX_TRIES.member
      ? tooMany(tries, "with this address", now)
      : { candidates: [], network };
  }
  const candidates: PasswordCandidate[] = [];
  let last: TryCount | undefined;
  for (const each of all) {
    last = yield* countOf(each, address, now);
    if (last.tries <= MAX_TRIES.member) candidates.push(each);
  }
  return candidates.length > 0 ? { candidates, network } : tooMany(last!, "with this address", now);
}

type Subject = Pick<PasswordCandidate, "memberId" | "accountId">;

export function* countMemberTry(member: Subject, address: string, now: number): Tx<Fault | null> {
  const tries = yield* countOf(member, address, now);
  return tries.tries > MAX_TRIES.member ? tooMany(tries, "with your password", now) : null;
}

export function* forgiveMember(memberId: string): Tx<void> {
  yield* forgiveTries(subjectOf(memberId));
}

export function* forgiveSignIn(memberId: string, network: string): Tx<void> {
  yield* forgiveMember(memberId);
  yield* forgiveTry(network);
}

/** The first try past the limit is recorded, and not each of a flood. */
function* countOf({ memberId, accountId }: Subject, address: string, now: number): Tx<TryCount> {
  const tries = yield* countTry(subjectOf(memberId), now, TRY_WINDOW_MS);
  if (tries.tries === MAX_TRIES.member + 1) {
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
  return tries;
}

function tooMany({ endsAt }: TryCount, whose: string, now: number): Fault {
  const leftMs = Math.max(endsAt - now, 1_000);
  const minutes = Math.ceil(leftMs / MINUTE_MS);
  const detail = `${whose}; try again in ${minutes} minute${minutes === 1 ? "" : "s"}`;
  return new Fault("too_many_tries", { detail }, { retryAfterS: Math.ceil(leftMs / 1_000) });
}
