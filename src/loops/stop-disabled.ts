// Stops what an account has running that the operator disabled. Its volumes stay, and what was stopped
// stays so when it is enabled again.

import type { Clock } from "../base/clock.ts";
import { disabledAccounts } from "../store/account/standing.ts";
import { podsOf } from "../store/pod/row.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import { haltPod } from "./halt-pod.ts";
import type { Loop } from "./loop.ts";

export function stopDisabledLoop({ store, clock }: { store: Store; clock: Clock }): Loop {
  return {
    name: "stop-disabled",
    shared: true,
    // A request that was let in just before may have made one more.
    periodMs: 5_000,
    restMs: 100,
    topics: [topic.balance],
    async turn() {
      for (const accountId of await store.read(disabledAccounts)) {
        const running = (await store.read(podsOf, accountId)).filter(
          ({ state }) => state === "RUNNING",
        );
        for (const { id } of running) {
          await store.write(haltPod, id, "RUNNING", { ...stop, at: clock.now() });
        }
      }
      return null;
    },
  };
}

const stop = {
  event: "stop",
  cause: "account_disabled",
  reason: "the account was disabled",
} as const;
