// Changing, disabling and revoking an API key.

import type { Clock } from "../../base/clock.ts";
import type { ApiKey } from "../../domain/account.ts";
import type { Store } from "../../store/engine/store.ts";
import { type KeyChanges, removeKey, saveKey } from "../../transactions/api-key/change.ts";
import { throwRefusal } from "../throw-refusal.ts";
import type { KeyView } from "./keys.ts";

export async function changeKeyOf(
  { store, clock }: { store: Store; clock: Clock },
  by: ApiKey,
  id: string,
  changes: KeyChanges,
): Promise<KeyView> {
  return throwRefusal(store.write(saveKey, by, id, changes, clock.now()));
}

export async function revokeKeyOf(
  { store, clock }: { store: Store; clock: Clock },
  by: ApiKey,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(removeKey, by, id, clock.now()));
}
