// What changed of an account, for whoever looks at it: kinds and ids, put together for a moment. A hint
// like all wake-ups, and whoever is told reads the truth again.

import type { Clock } from "../../base/clock.ts";
import type { Kind } from "../../domain/kind.ts";
import { findEndpointEver } from "../../store/endpoint/endpoint.ts";
import type { Store } from "../../store/store.ts";
import { type Change, EVERYBODY } from "../../store/wakes.ts";
import { findWorker } from "../../store/worker/worker.ts";
import { Gathered } from "./gathered.ts";

/** What comes closer together is told together. */
const GATHER_MS = 250;
const MOST_OWNERS = 10_000;

/** Ids that changed, by kind; null where it is so many that all of the kind may have. */
export type Changed = Partial<Record<Kind, string[] | null>>;

export class Changes {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #readers = new Map<string, Set<Gathered>>();
  /** Whose workers and endpoints are; that never changes. */
  #owners = new Map<string, string>();
  #hang: (() => void) | null = null;

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * What changes from now on; null says that some was missed, and everything is to be read again. Ends
   * when `gone` aborts.
   */
  async *follow(accountId: string, gone: AbortSignal): AsyncGenerator<Changed | null> {
    const gathered = new Gathered();
    this.#add(accountId, gathered);
    try {
      while (await gathered.wait(gone)) {
        yield gathered.take();
        await pause(this.#clock, GATHER_MS, gone);
      }
    } finally {
      this.#remove(accountId, gathered);
    }
  }

  #add(accountId: string, gathered: Gathered): void {
    const readers = this.#readers.get(accountId) ?? new Set();
    this.#readers.set(accountId, readers.add(gathered));
    this.#hang ??= this.#store.wakes.hear({
      changed: (change) => this.#changed(change),
      missed: () => {
        for (const each of this.#allReaders()) each.miss();
      },
    });
  }

  #remove(accountId: string, gathered: Gathered): void {
    const readers = this.#readers.get(accountId)!;
    readers.delete(gathered);
    if (readers.size === 0) this.#readers.delete(accountId);
    if (this.#readers.size > 0) return;
    this.#hang?.();
    this.#hang = null;
  }

  #changed({ kind, accountId, id }: Change): void {
    if (accountId === EVERYBODY) {
      for (const each of this.#allReaders()) each.add(kind, id);
      return;
    }
    const owner = accountId ?? this.#owners.get(id);
    if (owner === undefined) void this.#findOwner(kind, id);
    else for (const each of this.#readers.get(owner) ?? []) each.add(kind, id);
  }

  async #findOwner(kind: Kind, id: string): Promise<void> {
    try {
      const endpointId =
        kind === "job" ? id : (await this.#store.read(findWorker, id))?.endpoint_id;
      const endpoint = endpointId && (await this.#store.read(findEndpointEver, endpointId));
      if (!endpoint) return;
      if (this.#owners.size >= MOST_OWNERS) this.#owners = new Map();
      this.#owners.set(id, endpoint.accountId);
      for (const each of this.#readers.get(endpoint.accountId) ?? []) each.add(kind, id);
    } catch {
      for (const each of this.#allReaders()) each.miss();
    }
  }

  *#allReaders(): Iterable<Gathered> {
    for (const readers of this.#readers.values()) yield* readers;
  }
}

function pause(clock: Clock, ms: number, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      gone.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    gone.addEventListener("abort", end, { once: true });
    if (gone.aborted) end();
  });
}
