// The progress posts of a job: one at a time, the newest value next, and none after the job's result.

import type { Log } from "../log.ts";
import { encode } from "../outcome.ts";

export class ProgressReporter {
  readonly #send: (text: string) => Promise<void>;
  readonly #log: Log;
  #waiting: string | null = null;
  #sending: Promise<void> | null = null;
  #closed = false;

  constructor(send: (text: string) => Promise<void>, log: Log) {
    this.#send = send;
    this.#log = log;
  }

  /** Never rejects: a failed progress post does not fail the job. */
  report(value: unknown): Promise<void> {
    if (this.#closed) return Promise.resolve();
    try {
      this.#waiting = `{"status":"IN_PROGRESS","output":${encode(value)}}`;
    } catch (error) {
      this.#log.warn(`progress has no JSON form: ${String(error)}`);
      return Promise.resolve();
    }
    this.#sending ??= this.#sendAll();
    return this.#sending;
  }

  /** Resolves once nothing more will be sent. A waiting value is dropped, because the result follows. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting = null;
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting !== null) {
      const text = this.#waiting;
      this.#waiting = null;
      await this.#send(text).catch((error) => this.#log.warn(`progress not sent: ${error}`));
    }
    this.#sending = null;
  }
}
