// Stops and terminates Pods whose time has come, also where it came while nobody was there to see.

import type { Clock } from "../base/clock.ts";
import type { Pod } from "../domain/pod/pod.ts";
import { duePods, lockPod } from "../store/pod/row.ts";
import { movePod } from "../store/pod/wanted.ts";
import type { Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import type { Loop } from "./loop.ts";

export function podDeadlinesLoop({ store, clock }: { store: Store; clock: Clock }): Loop {
  return {
    name: "pod-deadlines",
    shared: true,
    periodMs: 2_000,
    restMs: 100,
    topics: [topic.pods],
    async turn() {
      const now = clock.now();
      const { due, nextAt } = await store.read(duePods, now);
      for (const pod of due) await store.write(enforce, pod, now);
      return nextAt;
    },
  };
}

/** A lock holds against clients, not against what they themselves decided before. */
function* enforce({ id }: Pod, at: number): Verb<void> {
  const pod = yield* lockPod(id);
  if (!pod) return;
  if (pod.terminateAfter !== null && pod.terminateAfter <= at) {
    const reason = "its terminateAfter has come";
    yield* movePod(pod, { event: "delete", cause: "terminate_after", reason, at });
  } else if (pod.stopAfter !== null && pod.stopAfter <= at) {
    const reason = "its stopAfter has come";
    yield* movePod(pod, { event: "stop", cause: "stop_after", reason, at });
  }
}
