// Syncs SQLite's write-ahead log. Handing a sync to a thread and hearing of its end costs as much as
// a short sync does, and the loop that sleeps meanwhile must be woken; so where the disk is quick,
// small turns are synced at once, and all else goes to a thread.

import { closeSync, fdatasync, fdatasyncSync } from "node:fs";
import { systemTicks } from "../../../base/clock.ts";

/** No request minds waiting as long as this. */
const QUICK_MS = 0.5;
/** More than this and no disk is quick. */
const FEW_BYTES = 128 * 1024;
/** So many syncs by a thread, and the shortest of them shows whether the disk has become quick. */
const LOOK = 64;

export class LogSync {
  readonly #fd: number;
  #quick = true;
  /** What syncs at once take lately, in milliseconds; by a thread, the shortest of a look. */
  #usualMs = 0;
  #looked = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** True where syncing some `bytes` is done at once. */
  atOnce(bytes: number): boolean {
    return this.#quick && bytes <= FEW_BYTES;
  }

  /** Syncs what was written, some `bytes`; calls back before it returns, or later. */
  sync(bytes: number, done: (error: Error | null) => void): void {
    const begun = systemTicks();
    if (!this.atOnce(bytes)) {
      fdatasync(this.#fd, (error) => {
        this.#noteByThread(systemTicks() - begun);
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
    this.#noteAtOnce(systemTicks() - begun);
    done(null);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #noteAtOnce(ms: number): void {
    this.#usualMs += (ms - this.#usualMs) / 16;
    if (this.#usualMs > QUICK_MS) this.#change(false, Number.POSITIVE_INFINITY);
  }

  /** The callback waits for the loop as well, so only the shortest says something of the disk. */
  #noteByThread(ms: number): void {
    if (this.#quick) return;
    this.#usualMs = Math.min(this.#usualMs, ms);
    if (++this.#looked < LOOK) return;
    if (this.#usualMs < QUICK_MS) this.#change(true, this.#usualMs);
    else this.#change(false, Number.POSITIVE_INFINITY);
  }

  #change(quick: boolean, usualMs: number): void {
    this.#quick = quick;
    this.#usualMs = usualMs;
    this.#looked = 0;
  }
}
