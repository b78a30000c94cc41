// A notification rule: which events of an account are announced, and where. Pure.

import type { Channel } from "./channel.ts";
import type { AccountEvent, EventKind } from "./event.ts";
import type { FailureThreshold } from "./failure-rate.ts";

export interface NotificationRule {
  id: string;
  accountId: string;
  name: string;
  enabled: boolean;
  events: readonly EventKind[];
  /** The endpoints and Pods whose events count; empty for all. */
  endpointIds: readonly string[];
  podIds: readonly string[];
  /** When jobs of an endpoint fail too often. */
  failures: FailureThreshold;
  channel: Channel;
  /** Sealed for `secretOwner`; null if the channel has none. */
  secret: string | null;
  /** When its last message was made. */
  notifiedAt: number | null;
  createdAt: number;
  changedAt: number;
}

/** The owner id that a rule's secret is sealed for. */
export const secretOwner = (ruleId: string) => `notification-rule:${ruleId}`;

type Selection = Pick<NotificationRule, "events" | "endpointIds" | "podIds">;

export function selects(
  { events, endpointIds, podIds }: Selection,
  { type, resource, details }: Pick<AccountEvent, "type" | "resource" | "details">,
): boolean {
  if (type === "test" || !events.includes(type)) return false;
  if (resource.type === "endpoint") return selectsId(endpointIds, resource.id);
  if (resource.type === "schedule") return selectsId(endpointIds, String(details.endpointId));
  return resource.type !== "pod" || selectsId(podIds, resource.id);
}

export const selectsId = (ids: readonly string[], id: string) =>
  ids.length === 0 || ids.includes(id);
