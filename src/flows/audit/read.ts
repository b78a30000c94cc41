// The audit log of an account.

import { type AuditFilter, type KeptEntry, listEntries } from "../../store/audit/audit.ts";
import type { Store } from "../../store/store.ts";

export type AuditWish = AuditFilter;
export type AuditView = KeptEntry;

export function auditOf({ store }: { store: Store }, wish: AuditWish): Promise<AuditView[]> {
  return store.read(listEntries, wish);
}
