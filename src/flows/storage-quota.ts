// The limit on the bytes that an account stores. Far below it, an account is checked against a sum that is a few
// seconds old, plus what this replica has admitted since, so that a new job costs no query. Near it, each
// transaction checks the limit itself and is exact.

import type { Clock } from "../base/clock.ts";
import { refuseStorage, type StorageLimit } from "../domain/storage/storage-limit.ts";
import { storedBytes } from "../store/account/stored.ts";
import type { Store } from "../store/engine/store.ts";

const REFRESH_MS = 10_000;
/** An account at its limit may just have freed something. */
const RECHECK_MS = 500;
/** The cache is cleared beyond this number of accounts. */
const MAX_ACCOUNTS = 10_000;
/** An account is near its limit below this. All replicas together store less between two reads of the sum. */
const NEAR_BYTES = 4e9;

interface Sum {
  bytes: number;
  readAt: number;
}

export class StorageQuota {
  /** In bytes per account; null for no limit. */
  readonly limit: number | null;
  readonly #deps: { store: Store; clock: Clock };
  readonly #sums = new Map<string, Promise<Sum>>();

  constructor(deps: { store: Store; clock: Clock }, limit: number | null) {
    this.#deps = deps;
    this.limit = limit;
  }

  /**
   * Throws a fault if the account cannot store as many bytes more. Returns the limit if the account is so near it
   * that the transaction must check it again.
   */
  async admit(accountId: string, bytes: number): Promise<StorageLimit | null> {
    if (this.limit === null) return null;
    let sum = await this.#sum(accountId, REFRESH_MS);
    if (!this.#isNear(sum, bytes)) {
      sum.bytes += bytes;
      return null;
    }
    if (sum.bytes + bytes > this.limit) sum = await this.#sum(accountId, RECHECK_MS);
    const refusal = refuseStorage(sum.bytes, bytes, this.limit);
    if (refusal) throw refusal;
    return { accountId, bytes: this.limit };
  }

  /** The limit if a transaction must check it whose bytes are not known before. */
  async limitFor(accountId: string): Promise<StorageLimit | null> {
    if (this.limit === null) return null;
    const sum = await this.#sum(accountId, REFRESH_MS);
    return this.#isNear(sum, 0) ? { accountId, bytes: this.limit } : null;
  }

  #isNear(sum: Sum, bytes: number): boolean {
    return sum.bytes + bytes > this.limit! - NEAR_BYTES;
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
