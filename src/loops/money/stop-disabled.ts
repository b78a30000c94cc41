// Stops the workloads of a disabled account. Their volumes stay, and enabling the account does not
// restart them.

import type { Clock } from "../../base/clock.ts";
import { disabledAccounts, holdAccount, isDisabled } from "../../store/account/account.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { lockPod, podsOf } from "../../store/pod/row.ts";
import { movePod } from "../../transactions/pod/move.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";

export function stopDisabledLoop({ store, clock }: { store: Store; clock: Clock }): Loop {
  return {
    name: "stop-disabled",
    shared: true,
    // A request that was authorized just before may have created another one.
    periodMs: 5_000,
    restMs: 100,
    topics: [topic.balance],
    async run() {
      const each = new Each();
      for (const accountId of await store.read(disabledAccounts)) {
        const running = (await store.read(podsOf, accountId)).filter(
          ({ desired: { state } }) => state === "RUNNING",
        );
        for (const { id } of running) {
          await each.try(() => store.write(stopDisabled, id, clock.now()));
        }
      }
      return each.end(null);
    },
  };
}

/** Does nothing if the account was enabled since it was read. */
function* stopDisabled(id: string, at: number): Tx<void> {
  const pod = yield* lockPod(id);
  if (pod?.desired.state !== "RUNNING") return;
  yield* holdAccount(pod.accountId);
  if (yield* isDisabled(pod.accountId)) yield* movePod(pod, { ...stop, at });
}

const stop = {
  event: "stop",
  cause: "account_disabled",
  reason: "the account was disabled",
} as const;
