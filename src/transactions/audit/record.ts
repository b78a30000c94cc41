// Entries of the audit log, in the commits of what they are about.

import type { AuditEntry } from "../../domain/audit/entry.ts";
import { appendEntry, appendSystemAct } from "../../store/audit/audit.ts";
import type { Tx } from "../../store/engine/statement.ts";

export function* recordEntry(entry: AuditEntry): Tx<void> {
  yield* appendEntry(entry);
}

/** What the service does by itself. */
export function* recordSystemAct(act: Parameters<typeof appendSystemAct>[0]): Tx<void> {
  yield* appendSystemAct(act);
}
