// The sync of SQLite's write-ahead log. A sync by a thread costs the event loop as much as a short sync by
// itself. So on a quick disk small commits are synced at once, and every other sync goes to a thread.

import { closeSync, fdatasync, fdatasyncSync } from "node:fs";
import { idleTicks, systemTicks } from "../../../base/clock.ts";

/** A sync this short may block the event loop. */
const QUICK_MS = 0.5;
/** Reads may wait for a sync that is no longer than this, or during which the event loop waits no longer than that. */
const SHORT_MS = 2;
const SHORT_IDLE_MS = 1;
/** On no disk is the sync of more than this quick or short. */
const MAX_QUICK_BYTES = 128 * 1024;
/** After this many syncs by a thread, the shortest of them shows what the disk takes now. */
const SAMPLES = 64;

export class LogSync {
  readonly #fd: number;
  readonly #times = new SyncTimes();

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** True if reads should not wait for the sync of `bytes`. */
  isLong(bytes: number): boolean {
    return this.#times.isLong(bytes);
  }

  /** Syncs `bytes` that were written; calls back before it returns, or later. */
  sync(bytes: number, done: (error: Error | null) => void): void {
    if (!this.#times.isQuick(bytes)) {
      this.#syncByThread(done);
      return;
    }
    const startedAt = systemTicks();
    try {
      fdatasyncSync(this.#fd);
    } catch (error) {
      done(error as Error);
      return;
    }
    this.#times.recordAtOnce(systemTicks() - startedAt);
    done(null);
  }

  #syncByThread(done: (error: Error | null) => void): void {
    const [startedAt, idleBefore] = [systemTicks(), idleTicks()];
    fdatasync(this.#fd, (error) => {
      this.#times.recordByThread(systemTicks() - startedAt, idleTicks() - idleBefore);
      done(error);
    });
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** What the syncs so far say of the next one. */
export class SyncTimes {
  #diskIsQuick = true;
  /** The moving average of syncs on the event loop; by a thread, the shortest of the last samples. */
  #typicalMs = 0;
  #shortestMs = Number.POSITIVE_INFINITY;
  #samples = 0;
  /** The moving average of how long the event loop waits during a sync by a thread. */
  #idleMs = 0;

  /** True if `bytes` are synced at once, on the event loop. */
  isQuick(bytes: number): boolean {
    return this.#diskIsQuick && bytes <= MAX_QUICK_BYTES;
  }

  isLong(bytes: number): boolean {
    if (this.isQuick(bytes)) return false;
    return bytes > MAX_QUICK_BYTES || this.#typicalMs > SHORT_MS || this.#idleMs > SHORT_IDLE_MS;
  }

  recordAtOnce(ms: number): void {
    this.#typicalMs += (ms - this.#typicalMs) / 16;
    if (this.#typicalMs > QUICK_MS) this.#diskIsQuick = false;
  }

  /** The callback also waits for the event loop, so only the shortest sample measures the disk. */
  recordByThread(ms: number, idleMs: number): void {
    if (this.#diskIsQuick) return;
    this.#idleMs += (idleMs - this.#idleMs) / 16;
    this.#shortestMs = Math.min(this.#shortestMs, ms);
    if (++this.#samples < SAMPLES) return;
    this.#typicalMs = this.#shortestMs;
    this.#diskIsQuick = this.#typicalMs < QUICK_MS;
    this.#shortestMs = Number.POSITIVE_INFINITY;
    this.#samples = 0;
  }
}
