// The changes that one reader has not received yet. Their number is bounded, however slow the reader
// is.

import type { Kind } from "../../domain/kind.ts";
import type { Changed } from "./changes.ts";

/** Beyond this number of ids, the whole kind counts as changed. */
const MAX_IDS = 100;

export class PendingChanges {
  #kinds = new Map<Kind, Set<string> | null>();
  #missed = false;
  #wake = () => {};

  add(kind: Kind, id: string): void {
    const ids = this.#kinds.get(kind);
    if (ids === null) return;
    if (ids === undefined) this.#kinds.set(kind, new Set([id]));
    else if (ids.size >= MAX_IDS && !ids.has(id)) this.#kinds.set(kind, null);
    else ids.add(id);
    this.#wake();
  }

  miss(): void {
    this.#missed = true;
    this.#wake();
  }

  /** Resolves to true when there are changes, to false when the signal aborts. */
  wait(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.#missed || this.#kinds.size > 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = () => {
        this.#wake = () => {};
        signal.removeEventListener("abort", end);
        resolve(!signal.aborted);
      };
      this.#wake = end;
      signal.addEventListener("abort", end, { once: true });
    });
  }

  /** Returns and clears the changes; null if some were missed. */
  take(): Changed | null {
    const kinds = this.#kinds;
    const missed = this.#missed;
    this.#kinds = new Map();
    this.#missed = false;
    if (missed) return null;
    return Object.fromEntries([...kinds].map(([kind, ids]) => [kind, ids && [...ids]]));
  }
}
