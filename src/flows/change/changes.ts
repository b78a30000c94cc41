// The changes of an account, as kinds and ids, for clients that follow events. A change is only a hint:
// the client reads the changed resources again.

import { type Clock, pause } from "../../base/clock.ts";
import type { Kind } from "../../domain/kind.ts";
import { findEndpointOrDeleted } from "../../store/endpoint/endpoint.ts";
import { ALL_ACCOUNTS, type Change } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { findWorker } from "../../store/worker/worker.ts";
import { PendingChanges } from "./pending-changes.ts";

/** Changes within this time are sent together. */
const BATCH_MS = 250;
const MAX_OWNERS = 10_000;

/** Changed ids by kind; null if any resource of the kind may have changed. */
export type Changed = Partial<Record<Kind, string[] | null>>;

export class Changes {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #readers = new Map<string, Set<PendingChanges>>();
  /** The accounts of workers and endpoints, which never change. */
  #owners = new Map<string, string>();
  #subscribe: (() => void) | null = null;

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Yields null at once and then changes from that moment on. Null means that changes were missed and everything
   * must be read again. Ends when the signal aborts.
   */
  async *follow(accountId: string, signal: AbortSignal): AsyncGenerator<Changed | null> {
    const pending = new PendingChanges();
    this.#add(accountId, pending);
    try {
      yield null;
      while (await pending.wait(signal)) {
        yield pending.take();
        await pause(this.#clock, BATCH_MS, signal);
      }
    } finally {
      this.#remove(accountId, pending);
    }
  }

  #add(accountId: string, pending: PendingChanges): void {
    const readers = this.#readers.get(accountId) ?? new Set();
    this.#readers.set(accountId, readers.add(pending));
    this.#subscribe ??= this.#store.notifier.hear({
      changed: (change) => this.#changed(change),
      missed: () => {
        for (const each of this.#allReaders()) each.miss();
      },
    });
  }

  #remove(accountId: string, pending: PendingChanges): void {
    const readers = this.#readers.get(accountId)!;
    readers.delete(pending);
    if (readers.size === 0) this.#readers.delete(accountId);
    if (this.#readers.size > 0) return;
    this.#subscribe?.();
    this.#subscribe = null;
  }

  #changed({ kind, accountId, id }: Change): void {
    if (accountId === ALL_ACCOUNTS) {
      for (const each of this.#allReaders()) each.add(kind, id);
      return;
    }
    const owner = accountId ?? this.#owners.get(id);
    if (owner === undefined) void this.#findOwner(kind, id);
    else for (const each of this.#readers.get(owner) ?? []) each.add(kind, id);
  }

  async #findOwner(kind: Kind, id: string): Promise<void> {
    try {
      const endpointId = kind === "job" ? id : (await this.#store.read(findWorker, id))?.endpointId;
      const endpoint = endpointId && (await this.#store.read(findEndpointOrDeleted, endpointId));
      if (!endpoint) return;
      if (this.#owners.size >= MAX_OWNERS) this.#owners = new Map();
      this.#owners.set(id, endpoint.accountId);
      for (const each of this.#readers.get(endpoint.accountId) ?? []) each.add(kind, id);
    } catch {
      for (const each of this.#allReaders()) each.miss();
    }
  }

  *#allReaders(): Iterable<PendingChanges> {
    for (const readers of this.#readers.values()) yield* readers;
  }
}
