// The limit on the bytes that an account stores. It is checked against a sum that is a few seconds old, plus
// what this replica has admitted since, so that a new job costs no query.

import type { Clock } from "../base/clock.ts";
import { Fault } from "../domain/fault.ts";
import { storedBytes } from "../store/account/stored.ts";
import type { Store } from "../store/engine/store.ts";

const REFRESH_MS = 10_000;
/** An account at its limit may just have freed something. */
const RECHECK_MS = 500;
/** The cache is cleared beyond this number of accounts. */
const MAX_ACCOUNTS = 10_000;

interface Sum {
  bytes: number;
  readAt: number;
}

export class StorageQuota {
  /** In bytes per account; null for no limit. */
  readonly most: number | null;
  readonly #deps: { store: Store; clock: Clock };
  readonly #sums = new Map<string, Promise<Sum>>();

  constructor(deps: { store: Store; clock: Clock }, most: number | null) {
    this.#deps = deps;
    this.most = most;
  }

  /** Throws a fault if the account may not store as many bytes more. */
  async admit(accountId: string, bytes: number): Promise<void> {
    if (this.most === null) return;
    let sum = await this.#sum(accountId, REFRESH_MS);
    if (sum.bytes + bytes > this.most) sum = await this.#sum(accountId, RECHECK_MS);
    if (sum.bytes + bytes > this.most) {
      throw new Fault("storage_full", { stored: sizeText(sum.bytes), most: sizeText(this.most) });
    }
    sum.bytes += bytes;
  }

  async #sum(accountId: string, maxAgeMs: number): Promise<Sum> {
    const known = this.#sums.get(accountId);
    const sum = await known;
    if (sum && this.#deps.clock.ticks() - sum.readAt < maxAgeMs) return sum;
    // Another request may have begun to read it while this one waited.
    const newer = this.#sums.get(accountId);
    if (newer && newer !== known) return newer;
    const reading = this.#read(accountId);
    if (this.#sums.size >= MAX_ACCOUNTS) this.#sums.clear();
    this.#sums.set(accountId, reading);
    reading.catch(() => this.#sums.delete(accountId));
    return reading;
  }

  async #read(accountId: string): Promise<Sum> {
    const { store, clock } = this.#deps;
    const readAt = clock.ticks();
    return { bytes: await store.read(storedBytes, accountId), readAt };
  }
}

function sizeText(bytes: number): string {
  const [unit, scale] = bytes < 1e9 ? ["MB", 1e6] : ["GB", 1e9];
  return `${(bytes / scale).toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}
