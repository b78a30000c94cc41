// Reading the audit log of an account.

import { type AuditFilter, type AuditRecord, listEntries } from "../../store/audit/audit.ts";
import type { Store } from "../../store/engine/store.ts";

export type AuditQuery = AuditFilter;
export type AuditView = AuditRecord;

export function auditOf({ store }: { store: Store }, request: AuditQuery): Promise<AuditView[]> {
  return store.read(listEntries, request);
}
