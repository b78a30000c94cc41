// How much of a volume's size its files use. Other clients, such as those of S3, write to it as well, so it is
// measured again from time to time.

import { lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { systemTicks } from "../../../../base/clock.ts";

/** How long a measurement holds, and how long at least where there seems to be no space. */
const FRESH_MS = 10_000;
const FRESH_IF_FULL_MS = 1_000;

export class VolumeSpace {
  readonly #folder: string;
  readonly #sizeBytes: number;
  #usedBytes = 0;
  #measuredTicks = Number.NEGATIVE_INFINITY;

  constructor(folder: string, sizeBytes: number) {
    this.#folder = folder;
    this.#sizeBytes = sizeBytes;
  }

  /** Notes that files grow or shrink by this much; false, and nothing is noted, if there is no space for it. */
  reserve(bytes: number): boolean {
    this.#measure(FRESH_MS);
    if (bytes > 0 && this.#usedBytes + bytes > this.#sizeBytes) {
      this.#measure(FRESH_IF_FULL_MS);
      if (this.#usedBytes + bytes > this.#sizeBytes) return false;
    }
    this.#usedBytes += bytes;
    return true;
  }

  #measure(freshMs: number): void {
    const ticks = systemTicks();
    if (ticks - this.#measuredTicks < freshMs) return;
    this.#usedBytes = bytesIn(this.#folder);
    this.#measuredTicks = ticks;
  }
}

function bytesIn(folder: string): number {
  let bytes = 0;
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of entriesOf(at)) {
      const place = path.join(at, entry.name);
      if (entry.isDirectory()) folders.push(place);
      else if (entry.isFile()) bytes += lstatSync(place, { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return bytes;
}

/** None of a folder that was removed meanwhile. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
