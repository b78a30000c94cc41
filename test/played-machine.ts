// The machine of workers that a test or a bench plays: no replica has it, no driver looks for them
// there, and it is never given up.

import { bareInventory as inventory } from "../src/domain/machine/bare.testing.ts";
import { enterReplica } from "../src/store/replica/replica.ts";
import type { Store } from "../src/store/store.ts";

export const PLAYED = "played";

/** Far in the future, so that it counts as heard of all the time. */
const HEARD_AT = Date.UTC(2100, 0, 1);

export async function playMachine(store: Store): Promise<void> {
  const replica = { id: PLAYED, machine: PLAYED, drivers: [], address: "", inventory };
  await store.write(enterReplica, replica, HEARD_AT);
}
