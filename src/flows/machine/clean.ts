// Requesting the removal of what another installation has on a machine, by the operator. The machine's
// loop carries it out.

import type { Store } from "../../store/engine/store.ts";
import { type RemovalRequest, requestRemoval } from "../../transactions/machine/clean.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function cleanMachine(
  { store }: { store: Store },
  accountId: string,
  request: RemovalRequest,
): Promise<void> {
  await throwRefusal(store.write(requestRemoval, accountId, request));
}
