// The operator gives an account credits, or takes some. From the first on it may only use what it has.

import { Fault } from "../../domain/fault.ts";
import { lockAccount } from "../../store/account/standing.ts";
import { doOnce, type Once } from "../../store/idempotency.ts";
import { credit } from "../../store/money/books.ts";
import { limitToBalance } from "../../store/money/prepaid.ts";
import { ring, type Verb } from "../../store/statement.ts";
import { topic } from "../../store/wakes.ts";
import { mustBeOperator } from "../account/operator.ts";
import { type AccountStanding, lookAtAccount, type StandingDeps } from "./standing.ts";

export interface NewCredit {
  /** The account that asks. */
  by: string;
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
  if (result instanceof Fault) throw result;
  return result;
}

function* give(wanted: NewCredit, graceMs: number, now: number): Verb<AccountStanding | Fault> {
  const { by, accountId, micros, note } = wanted;
  const refusal = yield* mustBeOperator(by);
  if (refusal) return refusal;
  if (!(yield* lockAccount(accountId))) return new Fault("account_not_found", { id: accountId });
  const result = yield* doOnce(wanted.once, now, function* () {
    yield* limitToBalance(accountId);
    yield* credit(accountId, micros, micros < 0 ? "adjustment" : "top_up", note, now);
    yield* ring(topic.balance);
    yield* ring(topic.changed(accountId, "balance", accountId));
    return yield* lookAtAccount(accountId, graceMs, now);
  });
  return result === "conflict" ? new Fault("idempotency_conflict") : result.answer;
}
