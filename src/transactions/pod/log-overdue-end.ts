// Records in the log of a Pod or a worker that its container does not end.

import { overdueEndText } from "../../domain/pod/container/overdue-end.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { addSystemLogLine } from "../../store/log/system-log.ts";

export function* logOverdueEnd(id: string, overdueMs: number, at: number): Tx<void> {
  const line = `${overdueEndText(overdueMs)}; it is billed until it has ended`;
  yield* addSystemLogLine(id, at, line);
}
