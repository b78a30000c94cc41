// The operator gives an account credits, or takes some. From the first on it may only use what it has.

import { Fault } from "../../domain/fault.ts";
import { doOnce, type Once } from "../../store/idempotency.ts";
import { credit } from "../../store/money/books.ts";
import { limitToBalance } from "../../store/money/prepaid.ts";
import { ring, type Verb } from "../../store/statement.ts";
import { topic } from "../../store/wakes.ts";
import { type AccountStanding, lookAtAccount, type StandingDeps } from "./standing.ts";

export interface NewCredit {
  accountId: string;
  /** Micro-dollars; below nothing takes some away. */
  micros: number;
  note: string;
  once: Once | null;
}

export async function giveCredit(
  { store, clock, protocol }: StandingDeps,
  wanted: NewCredit,
): Promise<AccountStanding> {
  const result = await store.write(give, wanted, protocol.emptyGraceMs, clock.now());
  if (result === "conflict") throw new Fault("idempotency_conflict");
  return result;
}

function* give(
  wanted: NewCredit,
  graceMs: number,
  now: number,
): Verb<AccountStanding | "conflict"> {
  const { accountId, micros, note } = wanted;
  const result = yield* doOnce(wanted.once, now, function* () {
    yield* limitToBalance(accountId);
    yield* credit(accountId, micros, micros < 0 ? "adjustment" : "top_up", note, now);
    yield* ring(topic.balance);
    return yield* lookAtAccount(accountId, graceMs, now);
  });
  return result === "conflict" ? result : result.answer!;
}
