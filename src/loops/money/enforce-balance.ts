// The loop that enforces balances. It warns when an account's credits run low, stops its workloads when
// none are left, and after a grace period removes resources that would still cost money.

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import { earliest } from "../../domain/endpoint/fleet.ts";
import { emptyAt, isLow } from "../../domain/money/balance.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { holdAccount } from "../../store/account/account.ts";
import { type Prepaid, prepaid, prepaidAccounts } from "../../store/account/prepaid.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { lockPod, podsOf } from "../../store/pod/row.ts";
import { noteEmpty, noteEnough, noteLow } from "../../transactions/money/note-balance.ts";
import { standingOf } from "../../transactions/money/standing.ts";
import { movePod } from "../../transactions/pod/move.ts";
import { Each } from "../engine/each.ts";
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
      const each = new Each();
      for (const account of await store.read(prepaidAccounts)) {
        again = earliest(again, (await each.try(() => enforce(deps, account, each))) ?? null);
      }
      return each.end(again);
    },
  };
}

/**
 * Returns the next instant at which the balance becomes low, is spent, or the grace period ends.
 */
async function enforce(deps: BalanceDeps, account: Prepaid, each: Each): Promise<number | null> {
  const { store, clock, protocol } = deps;
  const { accountId, emptySince } = account;
  const now = clock.now();
  const has = await store.read(standingOf, accountId, now);
  const isEmpty = has.balance <= 0;
  if (isEmpty !== (emptySince !== null)) {
    await store.write(observeEmpty, accountId, now);
    return now;
  }
  if (emptySince === null) return warn(deps, account, emptyAt(has, now), now);
  const terminateAt = emptySince + protocol.emptyGraceMs;
  const isGraceOver = now >= terminateAt;
  for (const pod of await store.read(podsOf, accountId)) {
    const move = moveOf(pod, isGraceOver);
    const when = { emptySince, isGraceOver, at: now };
    if (move) await each.try(() => store.write(endUnpaid, pod.id, move, when));
  }
  return isGraceOver ? null : terminateAt;
}

/** Null where nothing costs money: a stopped Pod with a network volume has no volume of its own. */
function moveOf({ desired }: Pod, isGraceOver: boolean): typeof stop | typeof remove | null {
  if (desired.state === "RUNNING") return stop;
  return isGraceOver && desired.spec.networkVolumeId === null ? remove : null;
}

/** Null if the account is not limited. The account is held, so that no credits come before the commit. */
function* holdBalance(accountId: string, now: number): Tx<(Prepaid & { balance: number }) | null> {
  yield* holdAccount(accountId);
  const account = yield* prepaid(accountId);
  return account && { ...account, balance: (yield* standingOf(accountId, now)).balance };
}

function* observeEmpty(accountId: string, now: number): Tx<void> {
  const account = yield* holdBalance(accountId, now);
  if (account) yield* noteEmpty(accountId, account.balance > 0 ? null : now, now);
}

/** Does nothing if credits came since the balance was read, also if they are spent, or if the Pod was changed. */
function* endUnpaid(
  id: string,
  move: NonNullable<ReturnType<typeof moveOf>>,
  { emptySince, isGraceOver, at }: { emptySince: number; isGraceOver: boolean; at: number },
): Tx<void> {
  const pod = yield* lockPod(id);
  if (!pod || moveOf(pod, isGraceOver) !== move) return;
  const account = yield* holdBalance(pod.accountId, at);
  if (!account || account.balance > 0 || account.emptySince !== emptySince) return;
  yield* movePod(pod, { ...move, at });
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

const stop = {
  event: "stop",
  cause: "no_credits",
  reason: "the account has no credits left",
} as const;
const remove = {
  event: "delete",
  cause: "no_credits",
  reason: "the account had no credits left for longer than its grace",
} as const;
