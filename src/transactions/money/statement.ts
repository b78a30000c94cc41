// What a statement is made of. Its queries share a round trip, and so they read one state of the store.

import { type Tx, together } from "../../store/engine/statement.ts";
import { type OtherPosting, otherPostings, othersBefore } from "../../store/ledger/ledger.ts";
import { spentBefore } from "../../store/usage/history.ts";
import { type GroupCost, type MonthRequest, monthCosts } from "../../store/usage/month.ts";

export interface StatementParts {
  /** The balance at the beginning. */
  opening: number;
  costs: GroupCost[];
  /** Credits and payments. */
  postings: OtherPosting[];
}

export function* statementParts(request: MonthRequest): Tx<StatementParts> {
  const { accountId, from, to } = request;
  const [costs, postings, others, spent] = (yield* together<unknown>([
    monthCosts(request),
    otherPostings(accountId, from, to),
    othersBefore(accountId, from),
    spentBefore(accountId, from),
  ])) as [GroupCost[], OtherPosting[], number, number];
  return { opening: others - spent, costs, postings };
}
