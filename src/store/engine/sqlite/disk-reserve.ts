// Room that is kept for a full disk. The reserve is a file of zeros beside the database. When SQLite finds the
// disk full, the file is deleted, so that cancels, purges, deletions and results still have room, and new jobs are
// refused until there is room again: on the disk, or in the pages that deletions free inside the database.

import { rmSync, statfsSync, statSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import path from "node:path";
import { pause, systemClock, systemTicks } from "../../../base/clock.ts";
import { MIB } from "../../../base/units.ts";

/**
 * The reserve is a twentieth of the file system, within these bounds. The write-ahead log has up to 16 MB that are
 * not in the database file yet: they take as much of the reserve first.
 */
const MIN_BYTES = 32 * MIB;
const MAX_BYTES = 64 * MIB;
/** Small pieces, each synced and followed by a pause: written at once, the reserve would slow every commit meanwhile. */
const PIECE = Buffer.alloc(2 ** 18);
const PAUSE_MS = 20;
/** A database that is written less often than this has no need of a reserve yet. */
const CHANGES_BEFORE_TAKING = 256;
const CHECK_MS = 1_000;

export class DiskReserve {
  readonly #file: string;
  readonly #bytes: number;
  readonly #freeInside: () => number;
  #state: "none" | "taking" | "held";
  #isFull = false;
  #wasReleased = false;
  #checkedAt = 0;
  readonly #closed = new AbortController();

  /** `freeInside` returns the bytes of free pages in the database. */
  constructor(database: string, freeInside: () => number) {
    this.#file = `${database}-reserve`;
    this.#freeInside = freeInside;
    const { bsize, blocks } = statfsSync(path.dirname(database));
    this.#bytes = Math.min(MAX_BYTES, Math.max(MIN_BYTES, (bsize * blocks) / 20));
    this.#state = statSync(this.#file, { throwIfNoEntry: false }) ? "held" : "none";
  }

  /** True while new jobs are refused. */
  get isFull(): boolean {
    if (this.#wasReleased && systemTicks() - this.#checkedAt >= CHECK_MS) this.#check();
    return this.#isFull;
  }

  /** Called after each change of the database. */
  afterChange(changes: number): void {
    if (this.#state === "none" && changes === CHANGES_BEFORE_TAKING) void this.#take();
  }

  /** Called when SQLite finds the disk full. */
  release(): void {
    rmSync(this.#file, { force: true });
    if (this.#state === "held") this.#state = "none";
    this.#isFull = true;
    this.#wasReleased = true;
    this.#checkedAt = systemTicks();
  }

  /** An unfinished reserve is taken after the next start. */
  close(): void {
    this.#closed.abort();
  }

  #check(): void {
    this.#checkedAt = systemTicks();
    const { bavail, bsize } = statfsSync(path.dirname(this.#file));
    const [outside, inside] = [bavail * bsize, this.#freeInside()];
    const isRoomy = outside >= 2 * this.#bytes;
    // Without the file, free pages in the database have to hold what the reserve would.
    const enough = this.#isFull ? 2 * this.#bytes : this.#bytes;
    this.#isFull = !isRoomy && inside < enough;
    if (isRoomy && this.#state === "none") void this.#take();
  }

  /** Without room for it, there is no reserve. */
  async #take(): Promise<void> {
    this.#state = "taking";
    const unfinished = `${this.#file}.tmp`;
    try {
      const file = await open(unfinished, "w", 0o600);
      try {
        for (let written = 0; written < this.#bytes; written += PIECE.length) {
          await file.write(PIECE);
          await file.datasync();
          await pause(systemClock, PAUSE_MS, this.#closed.signal);
          this.#closed.signal.throwIfAborted();
        }
      } finally {
        await file.close();
      }
      await rename(unfinished, this.#file);
      this.#state = "held";
      this.#wasReleased = this.#isFull;
    } catch {
      rmSync(unfinished, { force: true });
      this.#state = "none";
    }
  }
}
