// Stops what counts against a budget once that is spent: Pods at once, workers when they have finished
// what they hold, or after a grace. Nobody need be there to ask for it.

import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../base/clock.ts";
import { earliest } from "../domain/endpoint/fleet.ts";
import { type Budget, budgetText, spentText } from "../domain/money/budget.ts";
import type { Protocol } from "../domain/protocol.ts";
import { appendOwnAct } from "../store/audit/audit.ts";
import { allBudgets, findBudget } from "../store/budget/budget.ts";
import { type CountingWorker, podsCounting, workersCounting } from "../store/budget/counting.ts";
import { lookAtBudget, observeBudget } from "../store/budget/observe.ts";
import type { Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import { wantEnd } from "../store/worker/worker.ts";
import { haltPod } from "./halt-pod.ts";
import type { Loop } from "./loop.ts";

export interface BudgetsDeps {
  store: Store;
  clock: Clock;
  log: FastifyBaseLogger;
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
    async turn() {
      const now = clock.now();
      let again: number | null = null;
      for (const { budget, changes, again: at } of await store.read(looks, now)) {
        const seen = changes ? await observe(deps, budget, now) : budget;
        const next = seen && isSpent(seen, now) ? await enforce(deps, seen, now) : null;
        again = earliest(again, at, next);
      }
      return again;
    },
  };
}

function* looks(now: number) {
  const found = [];
  for (const budget of yield* allBudgets()) found.push(yield* lookAtBudget(budget, now));
  return found;
}

const isSpent = ({ spentUntil }: Budget, now: number) => spentUntil !== null && spentUntil > now;

async function observe({ store, log }: BudgetsDeps, { id }: Budget, now: number) {
  const seen = await store.write(observeBudget, id, now);
  if (!seen) return null;
  const { budget, newlyWarned, newlySpent } = seen;
  const { accountId: account, scope, subjectId } = budget;
  const facts = { budget: id, account, ...(subjectId !== "" && { [scope]: subjectId }) };
  if (newlySpent) log.warn(facts, `${budgetText(budget)} is spent`);
  else if (newlyWarned) log.warn(facts, `most of ${budgetText(budget)} is spent`);
  return budget;
}

/** Returns when a worker that still has jobs is ended with them. */
async function enforce(
  { store, protocol }: BudgetsDeps,
  budget: Budget,
  now: number,
): Promise<number | null> {
  for (const { id } of await store.read(podsCounting, budget)) {
    await store.write(stopPod, budget.id, id, now);
  }
  let again: number | null = null;
  for (const worker of await store.read(workersCounting, budget)) {
    const endAt = graceEnd(budget, worker, protocol.budgetGraceMs, now);
    if (worker.desired === "run") await store.write(stopWorker, budget.id, worker.id, "drain", now);
    else if (worker.desired === "drain" && endAt <= now) {
      await store.write(stopWorker, budget.id, worker.id, "end", now);
    }
    if (worker.desired !== "end" && endAt > now) again = earliest(again, endAt);
  }
  return again;
}

/** One that was on its way out before has its grace as well. */
function graceEnd(
  { spentAt }: Budget,
  { endAskedAt }: CountingWorker,
  graceMs: number,
  now: number,
) {
  return Math.max(endAskedAt ?? now, spentAt ?? now) + graceMs;
}

/** Since the look its limit may have been raised: then it stops nothing any more. */
function* stillSpent(budgetId: string, now: number): Verb<Budget | null> {
  const budget = yield* findBudget(budgetId);
  return budget && isSpent(budget, now) ? budget : null;
}

function* stopPod(budgetId: string, podId: string, at: number): Verb<void> {
  const budget = yield* stillSpent(budgetId, at);
  if (!budget) return;
  const reason = spentText(budget);
  yield* haltPod(podId, "RUNNING", { event: "stop", cause: "budget_spent", reason, at });
}

function* stopWorker(
  budgetId: string,
  workerId: string,
  desired: "drain" | "end",
  now: number,
): Verb<void> {
  const budget = yield* stillSpent(budgetId, now);
  if (!budget) return;
  const detail = spentText(budget);
  if (!(yield* wantEnd(workerId, desired, detail, now))) return;
  yield* appendOwnAct({
    accountId: budget.accountId,
    at: now,
    operation: desired === "drain" ? "drainWorker" : "endWorker",
    resourceType: "worker",
    resourceId: workerId,
    detail,
  });
}
