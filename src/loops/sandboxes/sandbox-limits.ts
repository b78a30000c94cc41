// Ends sandboxes at their limits, also at those that passed while the service was down, and forgets those
// that ended long ago.

import type { Clock } from "../../base/clock.ts";
import { DAY_MS } from "../../base/units.ts";
import { reachedLimit } from "../../domain/sandbox/sandbox.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { lockPod } from "../../store/pod/row.ts";
import { anySandboxBefore, dueSandboxes, lockSandbox } from "../../store/sandbox/sandbox.ts";
import { movePod } from "../../transactions/pod/move.ts";
import { noteSandboxEnd, sweepSandboxes } from "../../transactions/pod/record-sandbox.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";

const KEPT_MS = 7 * DAY_MS;

export function sandboxLimitsLoop({ store, clock }: { store: Store; clock: Clock }): Loop {
  return {
    name: "sandbox-limits",
    shared: true,
    periodMs: 2_000,
    restMs: 100,
    topics: [topic.sandboxes],
    async run() {
      const now = clock.now();
      const { due, nextAt } = await store.read(dueSandboxes, now);
      const each = new Each();
      for (const id of due) await each.try(() => store.write(enforceLimit, id, now));
      const before = now - KEPT_MS;
      if (await store.read(anySandboxBefore, before)) {
        await store.write(sweepSandboxes, before);
      }
      return each.end(nextAt);
    },
  };
}

/** The Pod is locked first, as wherever both are. It is billed to the limit, however late this runs. */
function* enforceLimit(id: string, now: number): Tx<void> {
  const pod = yield* lockPod(id);
  const sandbox = yield* lockSandbox(id);
  const end = sandbox && reachedLimit(sandbox, now);
  if (!end) return;
  yield* noteSandboxEnd({ id }, end);
  if (!pod) return;
  const { detail: reason, at } = end;
  yield* movePod(pod, { event: "delete", cause: "terminate_after", reason, at });
}
