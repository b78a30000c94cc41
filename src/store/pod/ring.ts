// Tells that a Pod was made, moved or seen: whoever looks at all of them, and whoever watches this one.

import type { Pod } from "../../domain/pod/pod.ts";
import { ring, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

export function* ringPod({ id, accountId }: Pick<Pod, "id" | "accountId">): Verb<void> {
  yield* ring(topic.pods);
  yield* ring(topic.pod(id));
  yield* ring(topic.changed(accountId, "pod", id));
}
