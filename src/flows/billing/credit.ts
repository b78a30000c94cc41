// Adding or removing credits of an account by the operator. The account is limited to its credits from then on.

import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { lockAccount } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { createOnce } from "../../transactions/idempotency/create-once.ts";
import { giveCredit } from "../../transactions/money/give-credit.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { type AccountStanding, readStanding, type StandingDeps } from "./standing.ts";

export interface NewCredit {
  /** The caller's account. */
  by: string;
  accountId: string;
  /** Micro-dollars; a negative amount removes credits. */
  micros: number;
  note: string;
  once: IdempotencyKey | null;
}

export async function addCredit(
  { store, clock, protocol }: StandingDeps,
  desired: NewCredit,
): Promise<AccountStanding> {
  return throwRefusal(store.write(give, desired, protocol.emptyGraceMs, clock.now()));
}

function* give(desired: NewCredit, graceMs: number, now: number): Tx<AccountStanding | Fault> {
  const { by, accountId } = desired;
  const refusal = yield* requireOperator(by);
  if (refusal) return refusal;
  if (!(yield* lockAccount(accountId))) return new Fault("account_not_found", { id: accountId });
  return yield* createOnce(desired.once, now, function* () {
    yield* giveCredit(desired, now);
    return yield* readStanding(accountId, graceMs, now);
  });
}
