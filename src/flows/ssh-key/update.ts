// Changing the labels of an SSH key.

import type { Labels } from "../../domain/label/labels.ts";
import type { SshKey } from "../../domain/ssh-key/ssh-key.ts";
import type { Store } from "../../store/engine/store.ts";
import { saveSshKeyLabels } from "../../transactions/ssh-key/write.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function labelSshKeyOf(
  { store }: { store: Store },
  accountId: string,
  id: string,
  labels: Labels | undefined,
): Promise<SshKey> {
  return throwRefusal(store.write(saveSshKeyLabels, accountId, id, labels));
}
