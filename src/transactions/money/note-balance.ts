// Records since when an account has no credits left, or few.

import { lowText } from "../../domain/money/balance.ts";
import { balanceEmpty, balanceLow } from "../../domain/notification/money-events.ts";
import { setBalanceSince } from "../../store/account/prepaid.ts";
import { appendSystemAct } from "../../store/audit/audit.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { logToWorkloads } from "../budget/log-to-workloads.ts";
import { raiseEvent } from "../notification/raise.ts";

/** Whether workers may run depends on it. `since` is null if it has credits again. */
export function* noteEmpty(accountId: string, since: number | null, now: number): Tx<void> {
  const isNew = yield* setBalanceSince("empty", accountId, since);
  if (isNew) {
    yield* raiseEvent(accountId, balanceEmpty({ accountId, at: now, resolved: since === null }));
  }
  yield* notify(topic.fleet);
  yield* notify(topic.changed(accountId, "balance", accountId));
}

export function* noteEnough(accountId: string, now: number): Tx<void> {
  if (yield* setBalanceSince("low", accountId, null)) {
    yield* raiseEvent(accountId, balanceLow({ accountId, at: now, resolved: true }, null));
  }
  yield* notify(topic.changed(accountId, "balance", accountId));
}

export function* noteLow(accountId: string, ends: number, now: number): Tx<boolean> {
  if (!(yield* setBalanceSince("low", accountId, now))) return false;
  yield* raiseEvent(accountId, balanceLow({ accountId, at: now }, ends));
  const detail = lowText(ends);
  yield* logToWorkloads({ accountId, scope: "account", subjectId: "" }, detail, now);
  const about = { resourceType: "balance", resourceId: accountId };
  yield* appendSystemAct({ accountId, at: now, operation: "warnOfBalance", ...about, detail });
  yield* notify(topic.changed(accountId, "balance", accountId));
  return true;
}
