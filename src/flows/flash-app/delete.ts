// Deleting a Flash app with its environments, or one environment.

import type { Store } from "../../store/engine/store.ts";
import {
  deleteAppWithEnvironments,
  deleteEnvironmentOf,
} from "../../transactions/flash-app/delete.ts";
import { throwRefusal } from "../throw-refusal.ts";
import type { FlashArchives } from "./archives.ts";

interface Deps {
  store: Store;
}

export async function deleteFlashAppOf(
  { store, flashArchives }: Deps & { flashArchives: FlashArchives },
  accountId: string,
  id: string,
): Promise<void> {
  const builds = await throwRefusal(store.write(deleteAppWithEnvironments, accountId, id));
  // A loop removes what this leaves, if the service stops here.
  for (const build of builds) await flashArchives.remove(build);
}

export async function deleteFlashEnvironmentOf(
  { store }: Deps,
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(deleteEnvironmentOf, accountId, id));
}
