// Notifies the listeners of all Pods, of this Pod and of its account's changes.

import type { Pod } from "../../domain/pod/pod.ts";
import { topic } from "../engine/notifier.ts";
import { notify, type Tx } from "../engine/statement.ts";

export function* notifyPod({ id, accountId }: Pick<Pod, "id" | "accountId">): Tx<void> {
  yield* notify(topic.pods);
  yield* notify(topic.pod(id));
  yield* notify(topic.changed(accountId, "pod", id));
}
