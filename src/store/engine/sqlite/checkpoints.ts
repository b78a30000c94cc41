// Checkpoints of SQLite's write-ahead log, which keep it short. A thread copies most of the log into the database
// file while writes go on. The next batch waits only for the copy of the few pages that were written meanwhile:
// then the log restarts at the beginning of its file, whose existing bytes sync faster than new ones.

import { Worker } from "node:worker_threads";
import { scriptBeside } from "../../../base/script-beside.ts";

/** The thread starts when the log holds this much, well before its first copy: a start takes CPU time from requests. */
const START_BYTES = 2 << 20;
/** A checkpoint begins when the log holds more than this. */
const CHECKPOINT_BYTES = 16 << 20;
/** The next batch may wait for the copy of this much. */
const MAX_FINAL_BYTES = 1 << 20;
/** After this many copies, the next batch waits for another one, however much is left. */
const MAX_COPIES = 4;
/** The log is measured after every so many batches. */
const MEASURE_EVERY_BATCHES = 8;

const script = scriptBeside(import.meta.url, "checkpoint-thread");

export class Checkpoints {
  readonly #file: string;
  readonly #bytes: () => number;
  readonly #pageSize: number;
  /** Called when the thread has failed. */
  readonly #failed: () => void;
  #thread: Worker | null = null;
  #batches = 0;
  /** The number of the copy under way; 0 for none. */
  #copy = 0;
  #isFinalDue = false;
  #afterFinal: (() => void) | null = null;

  /** `pages` returns how many pages of the log are not in the database file yet. */
  constructor(file: string, pageSize: number, pages: () => number, failed: () => void) {
    this.#file = file;
    this.#pageSize = pageSize;
    this.#bytes = () => pageSize * pages();
    this.#failed = failed;
  }

  /** Called after a batch is durable; calls back when the next one may begin. */
  afterBatch(done: () => void): void {
    if (this.#isFinalDue) {
      this.#isFinalDue = false;
      this.#afterFinal = done;
      this.#thread!.postMessage(null);
      return;
    }
    if (this.#isMeasureDue()) {
      const bytes = this.#bytes();
      if (bytes > START_BYTES) this.#thread ??= this.#start();
      if (bytes > CHECKPOINT_BYTES) this.#next();
    }
    done();
  }

  #isMeasureDue(): boolean {
    return this.#copy === 0 && ++this.#batches % MEASURE_EVERY_BATCHES === 0;
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
      this.#end(MAX_COPIES); // no checkpoint begins any more
    });
    return thread;
  }

  #next(): void {
    this.#copy++;
    this.#thread!.postMessage(null);
  }

  #copied(left: number): void {
    if (this.#afterFinal || left === 0) this.#end(0);
    else if (left * this.#pageSize <= MAX_FINAL_BYTES || this.#copy === MAX_COPIES)
      this.#isFinalDue = true;
    else this.#next();
  }

  #end(copy: number): void {
    this.#copy = copy;
    this.#isFinalDue = false;
    const afterFinal = this.#afterFinal;
    this.#afterFinal = null;
    afterFinal?.();
  }
}
