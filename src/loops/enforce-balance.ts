// Warns while an account's credits last for a short while only, stops what it has running when nothing
// is left, and after a grace removes what would go on costing. Nobody need be there to ask for it.

import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../base/clock.ts";
import { earliest } from "../domain/endpoint/fleet.ts";
import { emptyAt, isLow, lowText } from "../domain/money/balance.ts";
import type { Protocol } from "../domain/protocol.ts";
import { appendOwnAct } from "../store/audit/audit.ts";
import { tellWhatCounts } from "../store/budget/counting.ts";
import { standingOf } from "../store/money/books.ts";
import { noteSince, type Prepaid, prepaidAccounts } from "../store/money/prepaid.ts";
import { podsOf } from "../store/pod/row.ts";
import { ring, type Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import { haltPod } from "./halt-pod.ts";
import type { Loop } from "./loop.ts";

export interface BalanceDeps {
  store: Store;
  clock: Clock;
  log: FastifyBaseLogger;
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
    async turn() {
      let again: number | null = null;
      for (const account of await store.read(prepaidAccounts)) {
        again = earliest(again, await enforce(deps, account));
      }
      return again;
    },
  };
}

/** Returns when it runs low, will have nothing left, or when its grace is over. */
async function enforce(deps: BalanceDeps, account: Prepaid): Promise<number | null> {
  const { store, clock, protocol } = deps;
  const { accountId, emptySince } = account;
  const now = clock.now();
  const has = await store.read(standingOf, accountId, now);
  if (has.balance > 0) {
    if (emptySince !== null) await store.write(noteChange, accountId, null);
    return warn(deps, account, emptyAt(has, now), now);
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

async function warn(
  { store, log, protocol }: BalanceDeps,
  { accountId, lowSince }: Prepaid,
  ends: number | null,
  now: number,
): Promise<number | null> {
  if (ends === null || !isLow(ends, protocol.lowBalanceMs, now)) {
    if (lowSince !== null) await store.write(noteEnough, accountId);
    return ends && ends - protocol.lowBalanceMs;
  }
  if (lowSince === null && (await store.write(noteLow, accountId, ends, now))) {
    log.warn({ account: accountId }, `credits last until ${new Date(ends).toISOString()}`);
  }
  return ends;
}

/** Whether workers may run hangs on it. */
function* noteChange(accountId: string, since: number | null): Verb<void> {
  yield* noteSince("empty", accountId, since);
  yield* ring(topic.fleet);
  yield* ring(topic.changed(accountId, "balance", accountId));
}

function* noteEnough(accountId: string): Verb<void> {
  yield* noteSince("low", accountId, null);
  yield* ring(topic.changed(accountId, "balance", accountId));
}

function* noteLow(accountId: string, ends: number, now: number): Verb<boolean> {
  if (!(yield* noteSince("low", accountId, now))) return false;
  const detail = lowText(ends);
  yield* tellWhatCounts({ accountId, scope: "account", subjectId: "" }, detail, now);
  const about = { resourceType: "balance", resourceId: accountId };
  yield* appendOwnAct({ accountId, at: now, operation: "warnOfBalance", ...about, detail });
  yield* ring(topic.changed(accountId, "balance", accountId));
  return true;
}

const stop = { event: "stop", reason: "the account has no credits left" } as const;
const remove = {
  event: "delete",
  reason: "the account had no credits left for longer than its grace",
} as const;
