// Creates and changes notification rules, with the checks that belong to the commit.

import { Fault } from "../../domain/fault.ts";
import type { EventKind } from "../../domain/notification/event.ts";
import type { NotificationRule } from "../../domain/notification/rule.ts";
import { isPodOf } from "../../domain/pod/pod.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { dropWaitingEvents } from "../../store/notification/event.ts";
import { deleteIncidentsOf } from "../../store/notification/incident.ts";
import { changeRule, insertRule, lockRule } from "../../store/notification/rule.ts";
import { findPod } from "../../store/pod/row.ts";
import { findQueuedPod } from "../../store/queued-pod/queued-pod.ts";
import { requireOperator } from "../account/require-operator.ts";
import { requireRoom } from "../account/require-room.ts";
import { forgetRule } from "./forget.ts";

export function* createRule(rule: NotificationRule): Tx<NotificationRule | Fault> {
  const refusal =
    (yield* requireRoom("notificationRule", rule.accountId)) ?? (yield* refusalOf(rule, []));
  if (refusal) return refusal;
  yield* insertRule(rule);
  return rule;
}

/** `change` gets the rule as it is. */
export function* updateRule(
  accountId: string,
  id: string,
  change: (before: NotificationRule) => NotificationRule | Fault,
): Tx<NotificationRule | Fault> {
  const before = yield* lockRule(id);
  if (before?.accountId !== accountId) return new Fault("notification_rule_not_found", { id });
  const rule = change(before);
  if (rule instanceof Fault) return rule;
  const refusal = yield* refusalOf(rule, [...before.endpointIds, ...before.podIds]);
  if (refusal) return refusal;
  if (!rule.enabled) {
    yield* dropWaitingEvents(id);
    yield* deleteIncidentsOf(id);
  }
  yield* changeRule(rule);
  return rule;
}

export function* removeRule(accountId: string, id: string): Tx<Fault | null> {
  const rule = yield* lockRule(id);
  if (rule?.accountId !== accountId) return new Fault("notification_rule_not_found", { id });
  yield* forgetRule(rule);
  return null;
}

/** `known` are ids that the rule had: their resources may be gone since. */
function* refusalOf(rule: NotificationRule, known: readonly string[]): Tx<Fault | null> {
  const { accountId, events, endpointIds, podIds } = rule;
  for (const id of endpointIds.filter((each) => !known.includes(each))) {
    const endpoint = yield* findEndpoint(id);
    if (endpoint?.accountId !== accountId) return unknownId("endpointIds", "endpoints", id);
  }
  for (const id of podIds.filter((each) => !known.includes(each))) {
    const exists =
      isPodOf(yield* findPod(id), accountId) || (yield* findQueuedPod(id))?.accountId === accountId;
    if (!exists) return unknownId("podIds", "Pods", id);
  }
  const kind = events.find((each) => operatorKinds.includes(each));
  if (kind === undefined || !(yield* requireOperator(accountId))) return null;
  const detail = `Only the operator's account, the first one, can have "${kind}" in "events".`;
  return new Fault("forbidden", { detail });
}

const operatorKinds: EventKind[] = [
  "machine_offline",
  "gpu_unhealthy",
  "mig_layout_restored",
  "certificate_ending",
];

function unknownId(field: string, what: string, id: string): Fault {
  const detail = `"${field}" must name your ${what}; there is no "${id.slice(0, 80)}".`;
  return new Fault("invalid_body", { detail });
}
