// Announces the beginning and the end of a lasting condition, each once.

import type { AccountEvent } from "../../domain/notification/event.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { insertEvent } from "../../store/notification/event.ts";
import {
  deleteIncident,
  type Incident,
  insertIncident,
} from "../../store/notification/incident.ts";
import { lockRule } from "../../store/notification/rule.ts";

export function* beginIncident(incident: Incident, event: AccountEvent): Tx<void> {
  const rule = yield* lockRule(incident.ruleId);
  if (!rule?.enabled || !(yield* insertIncident(incident, event.at))) return;
  yield* insertEvent(rule.id, event);
}

/** Ends an incident; without an event it ends silently: its endpoint was deleted, or the rule no longer announces it. */
export function* endIncident(incident: Incident, event: AccountEvent | null): Tx<void> {
  const rule = yield* lockRule(incident.ruleId);
  if (!(yield* deleteIncident(incident)) || !rule || !event) return;
  yield* insertEvent(rule.id, event);
}
