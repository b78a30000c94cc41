// The table `sandbox`: limits, labels and the end of each sandbox. What runs is the Pod of the same id.

import {
  busyUntil,
  expiresAt,
  idleExpiresAt,
  type Sandbox,
  type SandboxEnd,
  type SandboxState,
} from "../../domain/sandbox/sandbox.ts";
import { topic } from "../engine/notifier.ts";
import {
  type ColumnValues,
  columnsOf,
  insertRow,
  json,
  optional,
  plain,
  updateRows,
} from "../engine/row/columns.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

const end = columnsOf<SandboxEnd>({
  reason: plain("end_reason"),
  detail: plain("end_detail"),
  at: plain("ended_at"),
});

const columns = columnsOf<Sandbox>({
  id: plain("id"),
  accountId: plain("account_id"),
  name: plain("name"),
  templateId: plain("template_id"),
  imageName: plain("image_name"),
  cpuFlavorId: plain("cpu_flavor_id"),
  vcpus: plain("vcpus"),
  memoryMb: plain("memory_mb"),
  containerDiskInGb: plain("container_gb"),
  labels: json("labels"),
  state: plain("state"),
  idleMs: plain("idle_ms"),
  lifeMs: plain("life_ms"),
  createdAt: plain("created_at"),
  updatedAt: plain("updated_at"),
  startedAt: plain("started_at"),
  activeAt: plain("active_at"),
  commandsUntil: json("commands_until"),
  end: optional(end, "ended_at", { end_reason: null, end_detail: null, ended_at: null }),
});

const COLUMNS = columns.names.join(", ");

/** The deadlines that the loop finds due sandboxes by. */
const deadlines = (sandbox: Sandbox) => ({
  busy_until: busyUntil(sandbox),
  idle_at: idleExpiresAt(sandbox),
  expires_at: expiresAt(sandbox),
});

export function* insertSandbox(sandbox: Sandbox): Tx<void> {
  yield* insertRow("sandbox", { ...columns.write(sandbox), ...deadlines(sandbox) });
  yield* notifySandbox(sandbox);
}

/** Writes a sandbox that is locked in this transaction. */
export function* replaceSandbox(sandbox: Sandbox): Tx<void> {
  const values = { ...columns.write(sandbox), ...deadlines(sandbox) };
  yield* updateRows("sandbox", values, "id = ?", sandbox.id);
  yield* notifySandbox(sandbox);
}

export function* findSandbox(id: string): Tx<Sandbox | undefined> {
  const found = yield* row<ColumnValues>(`select ${COLUMNS} from sandbox where id = ?`, id);
  return found && columns.read(found);
}

/** Locks it until the surrounding transaction ends. */
export function* lockSandbox(id: string): Tx<Sandbox | undefined> {
  const found = yield* row<ColumnValues>(
    `select ${COLUMNS} from sandbox where id = ? /*+ for update */`,
    id,
  );
  return found && columns.read(found);
}

/**
 * An account's sandboxes, newest first: those in a state, or all that did not end as they should. A sandbox belongs to a
 * member until it ends.
 */
export function* sandboxesOf(
  accountId: string,
  { state, ownerId }: { state: SandboxState | null; ownerId: string | null },
): Tx<Sandbox[]> {
  const owned = "and id in (select id from pod where owner_id = ? and state <> 'TERMINATED')";
  const found = yield* rows<ColumnValues>(
    `select ${COLUMNS} from sandbox where account_id = ?
       and ${state === null ? "state <> ?" : "state = ?"} ${ownerId === null ? "" : owned}
     order by created_at desc, id desc`,
    accountId,
    state ?? "TERMINATED",
    ...(ownerId === null ? [] : [ownerId]),
  );
  return found.map(columns.read);
}

/** Sandboxes that may have reached a limit, and the next such instant. */
export function* dueSandboxes(now: number): Tx<{ due: string[]; nextAt: number | null }> {
  const found = yield* rows<{ id: string }>(
    `select id from sandbox where ended_at is null
       and (expires_at <= ? or (idle_at <= ? and state = 'RUNNING')) order by id`,
    now,
    now,
  );
  const next = yield* row<{ at: number | null }>(
    `select min(at) as at from (
       select min(expires_at) as at from sandbox where ended_at is null and expires_at > ?
       union all
       select min(idle_at) from sandbox
       where ended_at is null and state = 'RUNNING' and idle_at > ?
     ) as deadlines`,
    now,
    now,
  );
  return { due: found.map(({ id }) => id), nextAt: next?.at ?? null };
}

/** Deletes the records of sandboxes that ended before an instant. */
export function* forgetSandboxesBefore(at: number): Tx<void> {
  yield* change("delete from sandbox where ended_at < ?", at);
}

export function* anySandboxBefore(at: number): Tx<boolean> {
  return (yield* row("select 1 from sandbox where ended_at < ? limit 1", at)) !== undefined;
}

function* notifySandbox({ id, accountId }: Pick<Sandbox, "id" | "accountId">): Tx<void> {
  yield* notify(topic.sandboxes);
  yield* notify(topic.changed(accountId, "sandbox", id));
}
