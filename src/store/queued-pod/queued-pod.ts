// The table `queued_pod`.

import { defaultTerms } from "../../domain/pod/pod-request.ts";
import type { QueuedPod, QueuedRequest } from "../../domain/queued-pod/queued-pod.ts";
import type { Waiting } from "../../domain/queued-pod/waiting.ts";
import { topic } from "../engine/notifier.ts";
import { type OwnerColumns, ownerFrom, withOwner } from "../engine/row/owner.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

const OWNED = withOwner("queued_pod");

interface Row extends OwnerColumns {
  id: string;
  account_id: string;
  key_id: string;
  queued_at: number;
  request: string;
  waiting: string;
  refusal: string | null;
  refused_at: number | null;
}

type Stored = QueuedRequest & Pick<QueuedPod, "spec" | "driver">;

const fromRow = (found: Row): QueuedPod => ({
  id: found.id,
  accountId: found.account_id,
  keyId: found.key_id,
  queuedAt: found.queued_at,
  // Requests of earlier versions lack the terms that came later.
  ...defaultTerms,
  ...(JSON.parse(found.request) as Stored),
  waiting: JSON.parse(found.waiting) as Waiting,
  refusal: found.refusal === null ? null : { reason: found.refusal, at: found.refused_at ?? 0 },
  ...ownerFrom(found),
});

export function* insertQueuedPod(pod: QueuedPod): Tx<void> {
  const { id, accountId, keyId, owner, queuedAt, waiting, refusal: _, ...stored } = pod;
  yield* change(
    `insert into queued_pod (id, account_id, owner_id, key_id, queued_at, request, waiting)
     values (?, ?, ?, ?, ?, ?, ?)`,
    id,
    accountId,
    owner?.id ?? null,
    keyId,
    queuedAt,
    JSON.stringify(stored satisfies Stored),
    JSON.stringify(waiting),
  );
  yield* notifyLine(pod);
}

/** The row must be locked. */
export function* deleteQueuedPod(pod: QueuedPod): Tx<void> {
  yield* change("delete from queued_pod where id = ?", pod.id);
  yield* notifyLine(pod);
}

/** Does nothing to a request that has left the line. */
export function* setWaiting(pod: QueuedPod, waiting: Waiting): Tx<void> {
  const sql = "update queued_pod set waiting = ? where id = ? and refused_at is null";
  if ((yield* change(sql, JSON.stringify(waiting), pod.id)) > 0)
    yield* notify(topic.changed(pod.accountId, "pod", pod.id));
}

/** The row must be locked. */
export function* setRefusal(pod: QueuedPod, reason: string, at: number): Tx<void> {
  yield* change(
    "update queued_pod set refusal = ?, refused_at = ? where id = ?",
    reason,
    at,
    pod.id,
  );
  yield* notifyLine(pod);
}

function* notifyLine({ id, accountId }: QueuedPod): Tx<void> {
  yield* notify(topic.queuedPods);
  yield* notify(topic.changed(accountId, "pod", id));
}

export function* findQueuedPod(id: string): Tx<QueuedPod | undefined> {
  const found = yield* row<Row>(`select ${OWNED} from queued_pod where id = ?`, id);
  return found && fromRow(found);
}

export function* lockQueuedPod(id: string): Tx<QueuedPod | undefined> {
  const found = yield* row<Row>(
    `select ${OWNED} from queued_pod where id = ? /*+ for update */`,
    id,
  );
  return found && fromRow(found);
}

/** All that wait, over all accounts, the oldest first. */
export function* waitingPods(): Tx<QueuedPod[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from queued_pod where refused_at is null order by queued_at, id`,
  );
  return found.map(fromRow);
}

/** The newest first, those that have left the line among them. */
export function* queuedPodsOf(accountId: string): Tx<QueuedPod[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from queued_pod where account_id = ? order by queued_at desc, id`,
    accountId,
  );
  return found.map(fromRow);
}

/** The waiting ones of a member, locked. */
export function* lockQueuedPodsOfOwner(accountId: string, ownerId: string): Tx<QueuedPod[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from queued_pod where account_id = ? and owner_id = ? and refused_at is null
     order by id /*+ for update */`,
    accountId,
    ownerId,
  );
  return found.map(fromRow);
}

export function* countWaiting(accountId: string): Tx<number> {
  const found = yield* row<{ count: number }>(
    "select count(*) as count from queued_pod where account_id = ? and refused_at is null",
    accountId,
  );
  return Number(found?.count ?? 0);
}

/** Requests that left the line before an instant. */
export function* refusedBefore(at: number): Tx<QueuedPod[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from queued_pod where refused_at < ? order by refused_at limit 100`,
    at,
  );
  return found.map(fromRow);
}
