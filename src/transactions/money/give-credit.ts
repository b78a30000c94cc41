// Credits that the operator gives to an account or takes from it.

import { setPrepaid } from "../../store/account/prepaid.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { credit } from "../../store/ledger/ledger.ts";

/** `micros` are micro-dollars; a negative amount takes credits. The account is limited to its credits from then on. */
export function* giveCredit(
  { accountId, micros, note }: { accountId: string; micros: number; note: string },
  now: number,
): Tx<void> {
  yield* setPrepaid(accountId);
  yield* credit(accountId, micros, micros < 0 ? "adjustment" : "top_up", note, now);
  yield* notify(topic.balance);
  yield* notify(topic.changed(accountId, "balance", accountId));
}
