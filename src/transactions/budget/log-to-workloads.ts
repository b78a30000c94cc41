// Writes a line about a budget or a balance to the system log of every workload that it would stop.

import {
  type BudgetSubject,
  podsUnderBudget,
  workersUnderBudget,
} from "../../store/budget/workloads.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { addSystemLogLine } from "../../store/log/system-log.ts";

export function* logToWorkloads(subject: BudgetSubject, line: string, now: number): Tx<void> {
  const running = [...(yield* podsUnderBudget(subject)), ...(yield* workersUnderBudget(subject))];
  for (const { id } of running) yield* addSystemLogLine(id, now, line);
}
