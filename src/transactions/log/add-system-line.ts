// A line that the service itself writes to the log of a workload.

import type { Tx } from "../../store/engine/statement.ts";
import { addSystemLogLine } from "../../store/log/system-log.ts";

export function* addSystemLine(...line: Parameters<typeof addSystemLogLine>): Tx<void> {
  yield* addSystemLogLine(...line);
}
