// Stops and terminates Pods at their deadlines, also at those that passed while the service was down, and warns of and stops
// those at their maximum lifetime.

import type { Clock } from "../../base/clock.ts";
import { earliest } from "../../domain/endpoint/fleet.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { isWarningVoid, lifetimeStep } from "../../domain/usage/lifetime.ts";
import { endedExemptions } from "../../store/account/exemptions.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { endingPods } from "../../store/pod/lifetimes.ts";
import { duePods, lockPod } from "../../store/pod/row.ts";
import { endExemptions } from "../../transactions/exemption/write.ts";
import { enforceLifetime } from "../../transactions/pod/lifetime.ts";
import { movePod } from "../../transactions/pod/move.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";

export function podDeadlinesLoop({ store, clock }: { store: Store; clock: Clock }): Loop {
  return {
    name: "pod-deadlines",
    shared: true,
    periodMs: 2_000,
    restMs: 100,
    topics: [topic.pods],
    async run() {
      const now = clock.now();
      const { due, nextAt } = await store.read(duePods, now);
      const each = new Each();
      for (const pod of due) await each.try(() => store.write(enforceDeadline, pod, now));
      const exemptions = await store.read(endedExemptions, now);
      for (const id of exemptions.accountIds) {
        await each.try(() => store.write(endExemptions, id, now));
      }
      const ending = await store.read(endingPods, now);
      const instants = [nextAt, ending.nextAt, exemptions.nextAt];
      for (const pod of ending.pods) {
        const step = lifetimeStep(pod, now);
        const isVoid = isWarningVoid(pod);
        if (step?.do === "wait" && !isVoid) instants.push(step.until);
        else if (step || isVoid) {
          instants.push((await each.try(() => store.write(enforceLifetime, pod.id, now))) ?? null);
        }
      }
      return each.end(earliest(...instants));
    },
  };
}

/** A lock refuses requests of clients, not a deadline that they set before. */
function* enforceDeadline({ id }: Pod, at: number): Tx<void> {
  const pod = yield* lockPod(id);
  if (!pod) return;
  const { stopAfter, terminateAfter } = pod.desired;
  if (terminateAfter !== null && terminateAfter <= at) {
    const reason = "its terminateAfter time was reached";
    yield* movePod(pod, { event: "delete", cause: "terminate_after", reason, at });
  } else if (stopAfter !== null && stopAfter <= at) {
    const reason = "its stopAfter time was reached";
    yield* movePod(pod, { event: "stop", cause: "stop_after", reason, at });
  }
}
