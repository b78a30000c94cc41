// Credits that the operator gives to an account or takes from it.

import { setPrepaid } from "../../store/account/prepaid.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { postCredit } from "../../store/ledger/ledger.ts";

/** `micros` are micro-dollars; a negative amount takes credits. The account is limited to its credits from then on. */
export function* giveCredit(
  { accountId, micros, note }: { accountId: string; micros: number; note: string },
  now: number,
): Tx<void> {
  yield* setPrepaid(accountId);
  const kind = micros < 0 ? "adjustment" : "top_up";
  yield* postCredit(accountId, { micros, kind, note }, now);
  yield* notify(topic.balance);
  yield* notify(topic.changed(accountId, "balance", accountId));
}
