// What one reader has not been told yet. It never grows beyond some ids of each kind, however slowly he
// reads.

import type { Kind } from "../../domain/kind.ts";
import type { Changed } from "./changes.ts";

/** More ids of a kind than this, and all of the kind are to be read again. */
const MOST_IDS = 100;

export class Gathered {
  #kinds = new Map<Kind, Set<string> | null>();
  #missed = false;
  #wake = () => {};

  add(kind: Kind, id: string): void {
    const ids = this.#kinds.get(kind);
    if (ids === null) return;
    if (ids === undefined) this.#kinds.set(kind, new Set([id]));
    else if (ids.size >= MOST_IDS && !ids.has(id)) this.#kinds.set(kind, null);
    else ids.add(id);
    this.#wake();
  }

  miss(): void {
    this.#missed = true;
    this.#wake();
  }

  /** Resolves to true once there is something, at once if there is; false when `gone` aborts. */
  wait(gone: AbortSignal): Promise<boolean> {
    if (gone.aborted) return Promise.resolve(false);
    if (this.#missed || this.#kinds.size > 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = () => {
        this.#wake = () => {};
        gone.removeEventListener("abort", end);
        resolve(!gone.aborted);
      };
      this.#wake = end;
      gone.addEventListener("abort", end, { once: true });
    });
  }

  /** What there is, and begins anew; null where some was missed. */
  take(): Changed | null {
    const kinds = this.#kinds;
    const missed = this.#missed;
    this.#kinds = new Map();
    this.#missed = false;
    if (missed) return null;
    return Object.fromEntries([...kinds].map(([kind, ids]) => [kind, ids && [...ids]]));
  }
}
