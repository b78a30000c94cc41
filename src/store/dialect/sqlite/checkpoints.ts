// Keeps SQLite's write-ahead log short. A thread copies most of it into the database file while
// writing goes on; the few pages that came meanwhile are copied while the next turn waits, and only
// then can the log begin anew, over the same bytes of its file, which sync faster than new ones.

import path from "node:path";
import { Worker } from "node:worker_threads";

/** As long as the log may grow before it is worth the copying, in pages of 4 kB. */
const LONG_PAGES = 4_000;
/** So few pages are copied in a moment, for which a turn may wait. */
const FEW_PAGES = 500;
/** After so many rounds the writing does not let up, and waits however much is left. */
const MOST_ROUNDS = 4;
/** Every so many turns the log is measured. */
const MEASURED_EVERY = 8;

const extension = path.extname(import.meta.filename);
const script = new URL(`checkpoint-thread${extension}`, import.meta.url);

export class Checkpoints {
  readonly #file: string;
  readonly #pages: () => number;
  /** Called where there is no thread any more. */
  readonly #failed: () => void;
  #thread: Worker | null = null;
  #turns = 0;
  /** The round under way; 0 for none. */
  #round = 0;
  #lastDue = false;
  #afterLast: (() => void) | null = null;

  /** `pages` tells how many pages the log holds that are not in the database file yet. */
  constructor(file: string, pages: () => number, failed: () => void) {
    this.#file = file;
    this.#pages = pages;
    this.#failed = failed;
  }

  /** A turn is durable; `done` is called once the next one may begin. */
  afterTurn(done: () => void): void {
    if (this.#lastDue) {
      this.#lastDue = false;
      this.#afterLast = done;
      this.#thread!.postMessage(null);
      return;
    }
    if (this.#round === 0 && ++this.#turns % MEASURED_EVERY === 0 && this.#pages() > LONG_PAGES) {
      this.#thread ??= this.#start();
      this.#next();
    }
    done();
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(script, { workerData: this.#file });
    thread.unref();
    thread.on("message", (left: number) => this.#copied(left));
    thread.on("error", () => {
      this.#failed();
      this.#end(MOST_ROUNDS); // no round begins any more
    });
    return thread;
  }

  #next(): void {
    this.#round++;
    this.#thread!.postMessage(null);
  }

  #copied(left: number): void {
    if (this.#afterLast || left === 0) this.#end(0);
    else if (left <= FEW_PAGES || this.#round === MOST_ROUNDS) this.#lastDue = true;
    else this.#next();
  }

  #end(round: number): void {
    this.#round = round;
    this.#lastDue = false;
    const afterLast = this.#afterLast;
    this.#afterLast = null;
    afterLast?.();
  }
}
