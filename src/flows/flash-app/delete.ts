// Deleting a Flash app with its environments, or one environment.

import type { Store } from "../../store/engine/store.ts";
import {
  deleteAppWithEnvironments,
  deleteEnvironmentOf,
} from "../../transactions/flash-app/delete.ts";
import { throwRefusal } from "../throw-refusal.ts";

interface Deps {
  store: Store;
}

export async function deleteFlashAppOf(
  { store }: Deps,
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(deleteAppWithEnvironments, accountId, id));
}

export async function deleteFlashEnvironmentOf(
  { store }: Deps,
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(deleteEnvironmentOf, accountId, id));
}
