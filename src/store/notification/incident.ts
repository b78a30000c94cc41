// The table `notification_incident`: the lasting conditions that a rule has announced.

import type { IncidentKind } from "../../domain/notification/endpoint-incidents.ts";
import { change, rows, type Tx } from "../engine/statement.ts";

export interface Incident {
  ruleId: string;
  kind: IncidentKind;
  /** The endpoint's id. */
  resourceId: string;
}

/** False if the rule has announced it. */
export function* insertIncident(
  { ruleId, kind, resourceId }: Incident,
  since: number,
): Tx<boolean> {
  const inserted = yield* change(
    `insert into notification_incident (rule_id, kind, resource_id, since) values (?, ?, ?, ?)
     on conflict do nothing`,
    ruleId,
    kind,
    resourceId,
    since,
  );
  return inserted > 0;
}

/** False if the rule has not announced it, or has announced its end. */
export function* deleteIncident({ ruleId, kind, resourceId }: Incident): Tx<boolean> {
  const deleted = yield* change(
    "delete from notification_incident where rule_id = ? and kind = ? and resource_id = ?",
    ruleId,
    kind,
    resourceId,
  );
  return deleted > 0;
}

export function* openIncidents(ruleId: string): Tx<Incident[]> {
  return yield* rows<Incident>(
    `select rule_id as "ruleId", kind, resource_id as "resourceId" from notification_incident
     where rule_id = ? order by kind, resource_id`,
    ruleId,
  );
}

export function* deleteIncidentsOf(ruleId: string): Tx<void> {
  yield* change("delete from notification_incident where rule_id = ?", ruleId);
}
