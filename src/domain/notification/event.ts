// Events of an account that rules announce. Pure.

import { createHash } from "node:crypto";

export type EventKind =
  | "pod_ended"
  | "pod_idle"
  | "pod_lifetime"
  | "pod_left_line"
  | "pod_refused"
  | "gpus_reserved"
  | "reservation_short"
  | "reservation_unused"
  | "reservation_released"
  | "jobs_failing"
  | "worker_crash_loop"
  | "schedule_failed"
  | "machine_offline"
  | "gpu_unhealthy"
  | "mig_layout_restored"
  | "certificate_ending"
  | "budget_warning"
  | "budget_spent"
  | "balance_low"
  | "balance_empty"
  | "sign_in"
  | "key_created";

export type ResourceType =
  | "pod"
  | "endpoint"
  | "schedule"
  | "reservation"
  | "machine"
  | "certificate"
  | "budget"
  | "account"
  | "session"
  | "key"
  | "rule";

export interface AccountEvent {
  /** Derived from the fact, so that receivers recognize an event that they have. */
  id: string;
  /** `test` is sent on request only. */
  type: EventKind | "test";
  at: number;
  /** True if it announces the end of a condition, such as a crash loop. */
  resolved: boolean;
  /** One sentence. */
  summary: string;
  resource: { type: ResourceType; id: string; name: string };
  details: Readonly<Record<string, string | number | boolean | null>>;
}

/** `subject` tells facts of one kind apart that concern one resource at one instant, such as two GPUs of a machine. */
export function accountEvent({
  subject = "",
  ...fact
}: Omit<AccountEvent, "id" | "resolved"> & { resolved?: boolean; subject?: string }): AccountEvent {
  const { type, resource, at, resolved = false } = fact;
  const facts = [type, resource.type, resource.id, at, resolved];
  const text = (subject === "" ? facts : [...facts, subject]).join(" ");
  const id = `evt_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
  return { ...fact, id, resolved };
}

/** "trainer (abc123)", or the id alone */
export const named = (name: string, id: string) => (name === "" ? id : `${name} (${id})`);
