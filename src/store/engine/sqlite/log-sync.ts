// The sync of SQLite's write-ahead log. A sync by a thread costs the event loop as much as a short sync by
// itself. So on a quick disk small commits are synced at once, and every other sync goes to a thread.

import { closeSync, fdatasync, fdatasyncSync } from "node:fs";
import { systemTicks } from "../../../base/clock.ts";

/** A sync this short may block the event loop. */
const QUICK_MS = 0.5;
/** On no disk is the sync of more than this quick. */
const MAX_QUICK_BYTES = 128 * 1024;
/** After this many syncs by a thread, the shortest of them shows whether the disk is quick now. */
const SAMPLES = 64;

export class LogSync {
  readonly #fd: number;
  #diskIsQuick = true;
  /** The moving average of syncs on the event loop; by a thread, the shortest sample. */
  #typicalMs = 0;
  #samples = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** True if `bytes` are synced at once, on the event loop. */
  isQuick(bytes: number): boolean {
    return this.#diskIsQuick && bytes <= MAX_QUICK_BYTES;
  }

  /** Syncs `bytes` that were written; calls back before it returns, or later. */
  sync(bytes: number, done: (error: Error | null) => void): void {
    const startedAt = systemTicks();
    if (!this.isQuick(bytes)) {
      fdatasync(this.#fd, (error) => {
        this.#recordByThread(systemTicks() - startedAt);
        done(error);
      });
      return;
    }
    try {
      fdatasyncSync(this.#fd);
    } catch (error) {
      done(error as Error);
      return;
    }
    this.#recordAtOnce(systemTicks() - startedAt);
    done(null);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #recordAtOnce(ms: number): void {
    this.#typicalMs += (ms - this.#typicalMs) / 16;
    if (this.#typicalMs > QUICK_MS) this.#setQuick(false, Number.POSITIVE_INFINITY);
  }

  /** The callback also waits for the event loop, so only the shortest sample measures the disk. */
  #recordByThread(ms: number): void {
    if (this.#diskIsQuick) return;
    this.#typicalMs = Math.min(this.#typicalMs, ms);
    if (++this.#samples < SAMPLES) return;
    if (this.#typicalMs < QUICK_MS) this.#setQuick(true, this.#typicalMs);
    else this.#setQuick(false, Number.POSITIVE_INFINITY);
  }

  #setQuick(diskIsQuick: boolean, typicalMs: number): void {
    this.#diskIsQuick = diskIsQuick;
    this.#typicalMs = typicalMs;
    this.#samples = 0;
  }
}
