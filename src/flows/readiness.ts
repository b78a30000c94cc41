// Whether the service can do its work: its store answers.

import { firstAccount } from "../store/account/account.ts";
import type { Store } from "../store/store.ts";

export async function checkStore({ store }: { store: Store }): Promise<void> {
  await store.read(firstAccount);
}
