// The loop that enforces budgets. Once a budget is spent it stops the Pods that count against it at
// once, and the workers when they have finished their jobs or after a grace period.

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import { earliest } from "../../domain/endpoint/fleet.ts";
import { type Budget, budgetText, coversLabels, spentText } from "../../domain/money/budget.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { allBudgets, findBudget } from "../../store/budget/budget.ts";
import {
  type BudgetWorker,
  podsUnderBudget,
  workersUnderBudget,
} from "../../store/budget/workloads.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { lockPod } from "../../store/pod/row.ts";
import { recordSystemAct } from "../../transactions/audit/record.ts";
import { observeBudget, readBudgetStates } from "../../transactions/budget/observe.ts";
import { movePodFrom } from "../../transactions/pod/move.ts";
import { requestWorkerEnd } from "../../transactions/worker/request-end.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";

export interface BudgetsDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  protocol: Pick<Protocol, "budgetGraceMs">;
}

export function enforceBudgetsLoop(deps: BudgetsDeps): Loop {
  const { store, clock } = deps;
  return {
    name: "enforce-budgets",
    shared: true,
    periodMs: 2_000,
    restMs: 100,
    topics: [topic.balance, topic.pods],
    async run() {
      const now = clock.now();
      let again: number | null = null;
      const each = new Each();
      for (const { budget, changes, nextAt: at } of await store.read(budgetStates, now)) {
        const next = await each.try(async () => {
          const current = changes ? await observe(deps, budget, now) : budget;
          return current && isSpent(current, now) ? await enforce(deps, current, now, each) : null;
        });
        again = earliest(again, at, next ?? null);
      }
      return each.end(again);
    },
  };
}

function* budgetStates(now: number) {
  return yield* readBudgetStates(yield* allBudgets(), now);
}

const isSpent = ({ spentUntil }: Budget, now: number) => spentUntil !== null && spentUntil > now;

async function observe({ store, log }: BudgetsDeps, { id }: Budget, now: number) {
  const observation = await store.write(observeBudget, id, now);
  if (!observation) return null;
  const { budget, newlyWarned, newlySpent } = observation;
  const { accountId: account, scope, subjectId } = budget;
  const facts = { budget: id, account, ...(subjectId !== "" && { [scope]: subjectId }) };
  if (newlySpent) log.warn(facts, `${budgetText(budget)} is spent`);
  else if (newlyWarned) log.warn(facts, `most of ${budgetText(budget)} is spent`);
  return budget;
}

/** Returns the instant at which a worker that still has jobs is ended. */
async function enforce(
  { store, protocol }: BudgetsDeps,
  budget: Budget,
  now: number,
  each: Each,
): Promise<number | null> {
  for (const { id } of await store.read(podsUnderBudget, budget)) {
    await each.try(() => store.write(stopPod, budget.id, id, now));
  }
  let again: number | null = null;
  for (const worker of await store.read(workersUnderBudget, budget)) {
    const endAt = graceEnd(budget, worker, protocol.budgetGraceMs, now);
    const move = worker.desired === "run" ? "drain" : "end";
    if (worker.desired === "run" || (worker.desired === "drain" && endAt <= now)) {
      await each.try(() => store.write(stopWorker, budget.id, worker.id, move, now));
    }
    if (worker.desired !== "end" && endAt > now) again = earliest(again, endAt);
  }
  return again;
}

/** A worker whose end was already requested has its grace period too. */
function graceEnd({ spentAt }: Budget, { endAskedAt }: BudgetWorker, graceMs: number, now: number) {
  return Math.max(endAskedAt ?? now, spentAt ?? now) + graceMs;
}

/** The limit may have been raised since the read; the budget then stops nothing. */
function* stillSpent(budgetId: string, now: number): Tx<Budget | null> {
  const budget = yield* findBudget(budgetId);
  return budget && isSpent(budget, now) ? budget : null;
}

function* stopPod(budgetId: string, podId: string, at: number): Tx<void> {
  // First, as the limit may be raised while this waits for the Pod.
  const pod = yield* lockPod(podId);
  const budget = pod && (yield* stillSpent(budgetId, at));
  // Its labels may have changed since it was read.
  if (!budget || !coversLabels(budget, pod.labels)) return;
  const reason = spentText(budget);
  yield* movePodFrom(podId, "RUNNING", { event: "stop", cause: "budget_spent", reason, at });
}

function* stopWorker(
  budgetId: string,
  workerId: string,
  desired: "drain" | "end",
  now: number,
): Tx<void> {
  const budget = yield* stillSpent(budgetId, now);
  if (!budget) return;
  const detail = spentText(budget);
  if (!(yield* requestWorkerEnd(workerId, desired, detail, now))) return;
  yield* recordSystemAct({
    accountId: budget.accountId,
    at: now,
    operation: desired === "drain" ? "drainWorker" : "endWorker",
    resourceType: "worker",
    resourceId: workerId,
    detail,
  });
}
