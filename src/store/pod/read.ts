// Reads Pods. The exemptions of their accounts are read once, and not with each Pod.

import type { Pod } from "../../domain/pod/pod.ts";
import type { ColumnValues } from "../engine/row/columns.ts";
import { row, rows, type Tx, type Value } from "../engine/statement.ts";
import { POD_COLUMNS, podColumns } from "./columns.ts";

/** `condition` may be followed by an order and a hint. */
export function* podsWhere(condition: string, ...params: Value[]): Tx<Pod[]> {
  const pods = yield* rows<ColumnValues>(
    `select ${POD_COLUMNS} from pod where ${condition}`,
    ...params,
  );
  const exempting = pods.filter(({ has_exemptions }) => has_exemptions === 1);
  const exemptions = new Map<Value, string | null>();
  for (const accountId of new Set(exempting.map(({ account_id }) => account_id as string))) {
    const account = yield* row<{ exemptions: string | null }>(
      "select exemptions from account where id = ?",
      accountId,
    );
    exemptions.set(accountId, account?.exemptions ?? null);
  }
  return pods.map((pod) =>
    podColumns.read({ ...pod, exemptions: exemptions.get(pod.account_id!) ?? null }),
  );
}
