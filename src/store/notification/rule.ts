// The table `notification_rule`.

import type { Channel } from "../../domain/notification/channel.ts";
import type { EventKind } from "../../domain/notification/event.ts";
import type { FailureThreshold } from "../../domain/notification/failure-rate.ts";
import type { NotificationRule } from "../../domain/notification/rule.ts";
import { topic } from "../engine/notifier.ts";
import { columnList } from "../engine/row/column-list.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  id: string;
  account_id: string;
  name: string;
  enabled: number;
  events: string;
  endpoint_ids: string;
  pod_ids: string;
  failures: string;
  channel: string;
  secret: string | null;
  notified_at: number | null;
  created_at: number;
  changed_at: number;
}

const COLUMNS = columnList<Row>()(
  "id",
  "account_id",
  "name",
  "enabled",
  "events",
  "endpoint_ids",
  "pod_ids",
  "failures",
  "channel",
  "secret",
  "notified_at",
  "created_at",
  "changed_at",
);

export function* insertRule(rule: NotificationRule): Tx<void> {
  yield* change(
    `insert into notification_rule (id, account_id, name, enabled, events, endpoint_ids, pod_ids,
       failures, channel, secret, created_at, changed_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    rule.id,
    rule.accountId,
    ...settingsOf(rule),
    rule.createdAt,
    rule.changedAt,
  );
  yield* notifyRule(rule);
}

export function* changeRule(rule: NotificationRule): Tx<void> {
  yield* change(
    `update notification_rule set name = ?, enabled = ?, events = ?, endpoint_ids = ?, pod_ids = ?,
       failures = ?, channel = ?, secret = ?, changed_at = ? where id = ?`,
    ...settingsOf(rule),
    rule.changedAt,
    rule.id,
  );
  yield* notifyRule(rule);
}

const settingsOf = (rule: NotificationRule) => [
  rule.name,
  Number(rule.enabled),
  JSON.stringify(rule.events),
  JSON.stringify(rule.endpointIds),
  JSON.stringify(rule.podIds),
  JSON.stringify(rule.failures),
  JSON.stringify(rule.channel),
  rule.secret,
];

export function* setNotifiedAt({ id, accountId }: NotificationRule, at: number): Tx<void> {
  yield* change("update notification_rule set notified_at = ? where id = ?", at, id);
  yield* notifyRule({ id, accountId });
}

export function* deleteRule(rule: NotificationRule): Tx<void> {
  yield* change("delete from notification_rule where id = ?", rule.id);
  yield* notifyRule(rule);
}

function* notifyRule({ id, accountId }: Pick<NotificationRule, "id" | "accountId">): Tx<void> {
  yield* notify(topic.changed(accountId, "notificationRule", id));
}

export function* findRule(id: string): Tx<NotificationRule | undefined> {
  const found = yield* row<Row>(`select ${COLUMNS} from notification_rule where id = ?`, id);
  return found && fromRow(found);
}

/** Reads a rule and locks it until the transaction commits. */
export function* lockRule(id: string): Tx<NotificationRule | undefined> {
  const found = yield* row<Row>(
    `select ${COLUMNS} from notification_rule where id = ? /*+ for update */`,
    id,
  );
  return found && fromRow(found);
}

export function* listRules(accountId: string): Tx<NotificationRule[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from notification_rule where account_id = ? order by created_at, id`,
    accountId,
  );
  return found.map(fromRow);
}

export function* enabledRules(accountId: string): Tx<NotificationRule[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from notification_rule where account_id = ? and enabled = 1 order by created_at, id`,
    accountId,
  );
  return found.map(fromRow);
}

/** The enabled rules of all accounts, each account's together. */
export function* allEnabledRules(): Tx<NotificationRule[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from notification_rule where enabled = 1 order by account_id, created_at, id`,
  );
  return found.map(fromRow);
}

function fromRow(found: Row): NotificationRule {
  return {
    id: found.id,
    accountId: found.account_id,
    name: found.name,
    enabled: found.enabled === 1,
    events: JSON.parse(found.events) as EventKind[],
    endpointIds: JSON.parse(found.endpoint_ids) as string[],
    podIds: JSON.parse(found.pod_ids) as string[],
    failures: JSON.parse(found.failures) as FailureThreshold,
    channel: JSON.parse(found.channel) as Channel,
    secret: found.secret,
    notifiedAt: found.notified_at,
    createdAt: found.created_at,
    changedAt: found.changed_at,
  };
}
