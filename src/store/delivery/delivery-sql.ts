// The statements of the tables `delivery` and `delivery_try`, and of the same two for batches and
// notifications. The tables differ in their names and in the columns of the subject and its lane.

import type { DeliverySubject } from "../../domain/webhook/delivery.ts";

interface DeliveryTables {
  table: string;
  tries: string;
  /** The column of the subject's number, and of what shares a receiver. */
  seq: string;
  lane: string;
}

function statementsOf(subject: DeliverySubject, { table, tries, seq, lane }: DeliveryTables) {
  const columns = `'${subject}' as subject, ${seq} as "subjectSeq", n, ${lane} as "laneId", message, url,
    state, tries, due_at as "dueAt", created_at as "createdAt"`;
  return {
    find: `select ${columns} from ${table} where ${seq} = ? and n = ?`,
    lastNumber: `select coalesce(max(n), 0) as n from ${table} where ${seq} = ?`,
    insert: `insert into ${table} (${seq}, n, ${lane}, message, url, state, tries, due_at, created_at)
      values (?, ?, ?, ?, ?, 'waiting', 0, ?, ?)`,
    nextLane: `select ${lane} as "laneId" from ${table} where state = 'waiting' and ${lane} > ?
      order by ${lane} limit 1`,
    due: `select ${columns} from ${table} where state = 'waiting' and ${lane} = ? and due_at <= ?
      order by due_at limit ?`,
    nextDue: `select min(due_at) as at from ${table}
      where state = 'waiting' and ${lane} = ? and due_at > ?`,
    isWaiting: `select 1 from ${table} where ${seq} = ? and n = ? and tries = ? and state = 'waiting'`,
    hasWaiting: `select 1 from ${table} where ${seq} = ? and state = 'waiting'`,
    insertTry: `insert into ${tries} (${seq}, n, try, at, status, error, took_ms)
      values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    settle: `update ${table} set state = ?, tries = tries + 1, due_at = ?
      where ${seq} = ? and n = ? and tries = ?`,
    list: `select ${columns} from ${table} where ${seq} = ? order by n`,
    listTries: `select n, try, at, status, error, took_ms as "tookMs" from ${tries}
      where ${seq} = ? order by n, try`,
    deleteTries: `delete from ${tries} where ${seq} = ?`,
    delete: `delete from ${table} where ${seq} = ?`,
  };
}

export const deliverySql = {
  job: statementsOf("job", {
    table: "delivery",
    tries: "delivery_try",
    seq: "job_seq",
    lane: "endpoint_id",
  }),
  batch: statementsOf("batch", {
    table: "batch_delivery",
    tries: "batch_delivery_try",
    seq: "batch_seq",
    lane: "endpoint_id",
  }),
  notification: statementsOf("notification", {
    table: "notification_delivery",
    tries: "notification_delivery_try",
    seq: "notification_seq",
    lane: "rule_id",
  }),
} as const satisfies Record<DeliverySubject, unknown>;
