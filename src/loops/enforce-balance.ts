// Stops what an account that has nothing left has running, and after a grace removes what would go on
// costing. Nobody need be there to ask for it.

import type { Clock } from "../base/clock.ts";
import type { Protocol } from "../domain/protocol.ts";
import { emptyAt } from "../flows/billing/standing.ts";
import { standingOf } from "../store/money/books.ts";
import { noteEmpty, type Prepaid, prepaidAccounts } from "../store/money/prepaid.ts";
import { podsOf } from "../store/pod/row.ts";
import { ring, type Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import { haltPod } from "./halt-pod.ts";
import type { Loop } from "./loop.ts";

export interface BalanceDeps {
  store: Store;
  clock: Clock;
  protocol: Pick<Protocol, "emptyGraceMs">;
}

export function enforceBalanceLoop(deps: BalanceDeps): Loop {
  const { store } = deps;
  return {
    name: "enforce-balance",
    shared: true,
    periodMs: 2_000,
    restMs: 100,
    topics: [topic.balance, topic.pods],
    async turn() {
      let again: number | null = null;
      for (const account of await store.read(prepaidAccounts)) {
        const at = await enforce(deps, account);
        if (at !== null) again = Math.min(again ?? at, at);
      }
      return again;
    },
  };
}

/** Returns when it will have nothing left, or when its grace is over. */
async function enforce(
  { store, clock, protocol }: BalanceDeps,
  { accountId, emptySince }: Prepaid,
): Promise<number | null> {
  const now = clock.now();
  const has = await store.read(standingOf, accountId, now);
  if (has.balance > 0) {
    if (emptySince !== null) await store.write(noteChange, accountId, null);
    return emptyAt(has, now);
  }
  if (emptySince === null) await store.write(noteChange, accountId, now);
  const since = emptySince ?? now;
  const terminateAt = since + protocol.emptyGraceMs;
  for (const pod of await store.read(podsOf, accountId)) {
    const cause = "no_credits";
    if (pod.state === "RUNNING") {
      await store.write(haltPod, pod.id, pod.state, { ...stop, cause, at: now });
    } else if (now >= terminateAt && pod.spec.networkVolumeId === null) {
      await store.write(haltPod, pod.id, pod.state, { ...remove, cause, at: now });
    }
  }
  return now < terminateAt ? terminateAt : null;
}

/** Whether workers may run hangs on it. */
function* noteChange(accountId: string, since: number | null): Verb<void> {
  yield* noteEmpty(accountId, since);
  yield* ring(topic.fleet);
}

const stop = { event: "stop", reason: "the account has no credits left" } as const;
const remove = {
  event: "delete",
  reason: "the account had no credits left for longer than its grace",
} as const;
