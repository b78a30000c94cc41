// The limit on the bytes that an account stores. Far below it, an account is checked against a sum that is a few
// seconds old, plus what this replica has admitted since, so that a new job costs no query. Near it, each
// transaction checks the limit itself and is exact. A smaller limit is near at less, and its sum is read more often:
// between two reads, all replicas together store less than what is near, up to 400 MB/s.

import type { Clock } from "../base/clock.ts";
import { refuseStorage, type StorageLimit } from "../domain/storage/storage-limit.ts";
import { storedBytes } from "../store/account/stored.ts";
import type { Store } from "../store/engine/store.ts";

/** Also how long an admitted request may take until it is stored. */
const REFRESH_MS = 10_000;
/** An account at its limit may just have freed something. */
const RECHECK_MS = 500;
/** The cache is cleared beyond this number of accounts. */
const MAX_ACCOUNTS = 10_000;
/** A job is near the limit with less left than this, and than a part of a smaller limit. */
const NEAR_BYTES = 4e9;
const NEAR_PART = 0.1;
/** What is stored in `RECHECK_MS`. */
const MIN_NEAR_BYTES = (NEAR_BYTES * RECHECK_MS) / REFRESH_MS;

interface Sum {
  bytes: number;
  readAt: number;
}

interface Account {
  sum: Promise<Sum>;
  admitted: AdmittedBytes;
}

/** What was admitted in the latest `REFRESH_MS` or longer: a sum that was read meanwhile may lack it. */
class AdmittedBytes {
  #since = 0;
  #current = 0;
  #previous = 0;

  add(bytes: number, now: number): void {
    this.#turn(now);
    this.#current += bytes;
  }

  total(now: number): number {
    this.#turn(now);
    return this.#current + this.#previous;
  }

  #turn(now: number): void {
    const age = now - this.#since;
    if (age < REFRESH_MS) return;
    this.#previous = age < 2 * REFRESH_MS ? this.#current : 0;
    this.#current = 0;
    this.#since = now;
  }
}

export class StorageQuota {
  /** In bytes per account; null for no limit. */
  readonly limit: number | null;
  readonly #deps: { store: Store; clock: Clock };
  readonly #nearBytes: number;
  readonly #refreshMs: number;
  readonly #accounts = new Map<string, Account>();

  constructor(deps: { store: Store; clock: Clock }, limit: number | null) {
    this.#deps = deps;
    this.limit = limit;
    const part = Math.max((limit ?? 0) * NEAR_PART, MIN_NEAR_BYTES);
    this.#nearBytes = Math.min(NEAR_BYTES, part);
    this.#refreshMs = (REFRESH_MS * this.#nearBytes) / NEAR_BYTES;
  }

  /**
   * Throws a fault if the account cannot store as many bytes more. Returns the limit if the account is so near it
   * that the transaction must check it again.
   */
  async admit(accountId: string, bytes: number): Promise<StorageLimit | null> {
    if (this.limit === null) return null;
    let sum = await this.#sum(accountId, this.#refreshMs);
    if (this.#left(accountId, sum) - bytes >= this.#nearBytes) {
      this.#accounts.get(accountId)?.admitted.add(bytes, this.#deps.clock.ticks());
      return null;
    }
    if (sum.bytes + bytes > this.limit) sum = await this.#sum(accountId, RECHECK_MS);
    const refusal = refuseStorage(sum.bytes, bytes, this.limit);
    if (refusal) throw refusal;
    return { accountId, bytes: this.limit };
  }

  /** The limit if a transaction must check it whose bytes are not known before. One change may store many rows. */
  async limitFor(accountId: string): Promise<StorageLimit | null> {
    if (this.limit === null) return null;
    const sum = await this.#sum(accountId, this.#refreshMs);
    return this.#left(accountId, sum) < NEAR_BYTES ? { accountId, bytes: this.limit } : null;
  }

  /** What the account stores now. */
  async storedBytes(accountId: string): Promise<number> {
    return (await this.#read(accountId)).bytes;
  }

  /** Call it after such a transaction: the next request reads what it has stored. */
  async expire(accountId: string): Promise<void> {
    const sum = await this.#accounts.get(accountId)?.sum.catch(() => null);
    if (sum) sum.readAt = Number.NEGATIVE_INFINITY;
  }

  #left(accountId: string, { bytes }: Sum): number {
    const admitted = this.#accounts.get(accountId)?.admitted.total(this.#deps.clock.ticks()) ?? 0;
    return this.limit! - bytes - admitted;
  }

  async #sum(accountId: string, maxAgeMs: number): Promise<Sum> {
    const known = this.#accounts.get(accountId)?.sum;
    const sum = await known;
    if (sum && this.#deps.clock.ticks() - sum.readAt < maxAgeMs) return sum;
    // Another request may have begun to read it while this one waited.
    const account = this.#accounts.get(accountId);
    if (account && account.sum !== known) return account.sum;
    const reading = this.#read(accountId);
    if (this.#accounts.size >= MAX_ACCOUNTS) this.#accounts.clear();
    const admitted = account?.admitted ?? new AdmittedBytes();
    this.#accounts.set(accountId, { sum: reading, admitted });
    reading.catch(() => this.#accounts.delete(accountId));
    return reading;
  }

  async #read(accountId: string): Promise<Sum> {
    const { store, clock } = this.#deps;
    const readAt = clock.ticks();
    return { bytes: await store.read(storedBytes, accountId), readAt };
  }
}
