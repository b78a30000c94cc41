// The loop that enforces balances. It warns when an account's credits run low, stops its workloads when
// none are left, and after a grace period removes resources that would still cost money.

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import { earliest } from "../../domain/endpoint/fleet.ts";
import { emptyAt, isLow } from "../../domain/money/balance.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { type Prepaid, prepaidAccounts } from "../../store/account/prepaid.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { podsOf } from "../../store/pod/row.ts";
import { noteEmpty, noteEnough, noteLow } from "../../transactions/money/note-balance.ts";
import { standingOf } from "../../transactions/money/standing.ts";
import { movePodFrom } from "../../transactions/pod/move.ts";
import type { Loop } from "../engine/loop.ts";

export interface BalanceDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  protocol: Pick<Protocol, "emptyGraceMs" | "lowBalanceMs">;
}

export function enforceBalanceLoop(deps: BalanceDeps): Loop {
  const { store } = deps;
  return {
    name: "enforce-balance",
    shared: true,
    periodMs: 2_000,
    restMs: 100,
    topics: [topic.balance, topic.pods],
    async run() {
      let again: number | null = null;
      for (const account of await store.read(prepaidAccounts)) {
        again = earliest(again, await enforce(deps, account));
      }
      return again;
    },
  };
}

/**
 * Returns the next instant at which the balance becomes low, is spent, or the grace period ends.
 */
async function enforce(deps: BalanceDeps, account: Prepaid): Promise<number | null> {
  const { store, clock, protocol } = deps;
  const { accountId, emptySince } = account;
  const now = clock.now();
  const has = await store.read(standingOf, accountId, now);
  if (has.balance > 0) {
    if (emptySince !== null) await store.write(noteEmpty, accountId, null, now);
    return warn(deps, account, emptyAt(has, now), now);
  }
  if (emptySince === null) await store.write(noteEmpty, accountId, now, now);
  const since = emptySince ?? now;
  const terminateAt = since + protocol.emptyGraceMs;
  for (const pod of await store.read(podsOf, accountId)) {
    const cause = "no_credits";
    if (pod.desired.state === "RUNNING") {
      await store.write(movePodFrom, pod.id, pod.desired.state, { ...stop, cause, at: now });
    } else if (now >= terminateAt && pod.desired.spec.networkVolumeId === null) {
      await store.write(movePodFrom, pod.id, pod.desired.state, { ...remove, cause, at: now });
    }
  }
  return now < terminateAt ? terminateAt : null;
}

async function warn(
  { store, log, protocol }: BalanceDeps,
  { accountId, lowSince }: Prepaid,
  ends: number | null,
  now: number,
): Promise<number | null> {
  if (ends === null || !isLow(ends, protocol.lowBalanceMs, now)) {
    if (lowSince !== null) await store.write(noteEnough, accountId, now);
    return ends && ends - protocol.lowBalanceMs;
  }
  if (lowSince === null && (await store.write(noteLow, accountId, ends, now))) {
    log.warn({ account: accountId }, `credits last until ${new Date(ends).toISOString()}`);
  }
  return ends;
}

const stop = { event: "stop", reason: "the account has no credits left" } as const;
const remove = {
  event: "delete",
  reason: "the account had no credits left for longer than its grace",
} as const;
