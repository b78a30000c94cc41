// Reads Pods. The exemptions of their accounts are read once, and not with each Pod.

import type { Pod } from "../../domain/pod/pod.ts";
import type { ColumnValues } from "../engine/row/columns.ts";
import { row, rows, type Tx, together, type Value } from "../engine/statement.ts";
import { POD_COLUMNS, podColumns } from "./columns.ts";

/** `condition` may be followed by an order and a hint. */
export function* podsWhere(condition: string, ...params: Value[]): Tx<Pod[]> {
  const pods = yield* rows<ColumnValues>(
    `select ${POD_COLUMNS} from pod where ${condition}`,
    ...params,
  );
  const exempting = pods.filter(({ has_exemptions }) => has_exemptions === 1);
  const accountIds = [...new Set(exempting.map(({ account_id }) => account_id as string))];
  const exemptions = new Map(yield* together(accountIds.map(exemptionsOf)));
  // The rows have a place for them: a copy of each row would cost as much as reading it.
  for (const pod of exempting) pod.exemptions = exemptions.get(pod.account_id as string)!;
  return pods.map((pod) => podColumns.read(pod));
}

function* exemptionsOf(accountId: string): Tx<[accountId: string, text: string | null]> {
  const account = yield* row<{ exemptions: string | null }>(
    "select exemptions from account where id = ?",
    accountId,
  );
  return [accountId, account?.exemptions ?? null];
}
