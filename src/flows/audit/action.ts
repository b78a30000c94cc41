// Audited actions. The action of a request is kept in async context, so that AuditedStore writes its
// audit entry in the same commit as the change, and no flow needs to know the caller.

import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../../base/clock.ts";
import type { Actor, AuditEntry } from "../../domain/audit/entry.ts";
import { Fault } from "../../domain/fault.ts";
import { faultCatalog } from "../../domain/fault-catalog.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { recordEntry } from "../../transactions/audit/record.ts";
import { isReplay } from "../../transactions/idempotency/create-once.ts";
import { withinStorage } from "../../transactions/storage/require-storage.ts";
import type { StorageQuota } from "../storage-quota.ts";
import { StoreWrapper } from "../store-wrapper.ts";

/** The part of an audit entry that is known before the action runs. */
export type AuditAction = Omit<AuditEntry, "at" | "outcome" | "detail">;

interface CurrentAction extends AuditAction {
  /** The write that has recorded the action; null before. A batch may run the same write again. */
  recordedBy: symbol | null;
}

const currentAction = new AsyncLocalStorage<CurrentAction>();

/** Runs work as part of an audited action. */
export function runAudited<Result>(action: AuditAction, work: () => Result): Result {
  return currentAction.run({ ...action, recordedBy: null }, work);
}

/** The current action's actor. Read it before a transaction starts: transactions run in another async context. */
export const currentActor = (): Actor | undefined => currentAction.getStore()?.actor;

/** The address of the current action's caller; empty without one. */
export const currentAddress = (): string => currentAction.getStore()?.address ?? "";

/** Records an action that changes nothing in the store. */
export async function recordAction({
  store,
  clock,
}: {
  store: Store;
  clock: Clock;
}): Promise<void> {
  const action = currentAction.getStore();
  if (!action || action.recordedBy) return;
  action.recordedBy = Symbol();
  await store.write(recordEntry, entryOf(action, clock.now()));
}

/** Records a refused action. A failure to record it does not change the response. */
export async function recordRefusal(
  { store, clock }: { store: Store; clock: Clock },
  action: AuditAction,
  refusal: Fault | { code: string },
): Promise<void> {
  if (refusal instanceof Fault && !isAudited(refusal)) return;
  const { code } = refusal;
  const current = currentAction.getStore();
  if (current) current.recordedBy = Symbol();
  const entry = { ...action, at: clock.now(), outcome: "refused" as const, detail: code };
  await store.write(recordEntry, entry).catch(() => {});
}

/** Service errors and rate limits are not audited. */
function isAudited({ code, status }: Fault): boolean {
  return status !== 429 && faultCatalog[code].blame !== "service";
}

/**
 * A store that records the current action in the transaction of its first change, and keeps the account within its
 * storage limit.
 */
export class AuditedStore extends StoreWrapper {
  readonly #clock: Clock;
  readonly #storageQuota: StorageQuota;

  constructor(inner: Store, clock: Clock, storageQuota: StorageQuota) {
    super(inner);
    this.#clock = clock;
    this.#storageQuota = storageQuota;
  }

  async write<Args extends unknown[], Result>(
    transaction: (...args: Args) => Tx<Result>,
    ...args: Args
  ): Promise<Result> {
    const action = currentAction.getStore();
    if (!action) return this.inner.write(transaction, ...args);
    const now = this.#clock.now();
    const limit = await this.#storageQuota.limitFor(action.accountId);
    const write = Symbol();
    const whole = () => audited({ action, write, now }, transaction(...args));
    try {
      if (!limit) return await this.inner.write(whole);
      const result = await this.inner.write(() => withinStorage(limit, whole()));
      await this.#storageQuota.expire(action.accountId);
      return result;
    } catch (error) {
      forgetRecord(action, write);
      throw error;
    }
  }
}

function* audited<Result>(
  { action, write, now }: { action: CurrentAction; write: symbol; now: number },
  transaction: Tx<Result>,
): Tx<Result> {
  // An earlier attempt of this write was rolled back with its entry.
  forgetRecord(action, write);
  const result = yield* transaction;
  if (action.recordedBy || isRefusal(result) || isReplay(result)) return result;
  yield* recordEntry(entryOf(action, now, idOf(result)));
  action.recordedBy = write;
  return result;
}

function forgetRecord(action: CurrentAction, write: symbol): void {
  if (action.recordedBy === write) action.recordedBy = null;
}

/** An action that names no resource yet is on the created one. */
function entryOf(
  { recordedBy: _, ...action }: CurrentAction,
  at: number,
  createdId = "",
): AuditEntry {
  const resourceId = action.resourceId || createdId;
  return { ...action, resourceId, at, outcome: "done", detail: "" };
}

/** Whether a transaction's result means that nothing was changed. */
function isRefusal(result: unknown): boolean {
  return result instanceof Fault || result === false;
}

/** The id of a created resource, or of the resource in a view. */
function idOf(result: unknown): string {
  const { id, endpoint, budget, created } = (result ?? {}) as Record<string, unknown>;
  if (typeof id === "string") return id;
  const resource = endpoint ?? budget ?? created;
  return resource ? idOf(resource) : "";
}
