// Workloads with a command in progress. A loop must not wait for a grace period or an image pull.

import { type Deadline, within } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";

export class Busy {
  readonly #log: Logger;
  readonly #over: () => void;
  #running = new Map<string, { what: string; done: Promise<void> }>();
  #beside = new Map<string, Promise<void>>();

  /** `over` is called when a command ends, so that its result can be observed. */
  constructor(log: Logger, over: () => void) {
    this.#log = log;
    this.#over = over;
  }

  /** The workloads with a command in progress now. */
  now(): ReadonlySet<string> {
    return new Set(this.#running.keys());
  }

  /** The name of the command in progress for a workload. */
  doing(id: string): string | undefined {
    return this.#running.get(id)?.what;
  }

  run(id: string, work: () => Promise<void>, what = ""): void {
    if (this.#running.has(id)) return;
    const done = this.#guard(id, work).then((done) => {
      this.#running.delete(id);
      // A retry at once would fail again.
      if (done) this.#over();
    });
    this.#running.set(id, { what, done });
  }

  /** Runs a command that aborts another one; only one at a time. */
  beside(id: string, work: () => Promise<void>): void {
    if (this.#beside.has(id)) return;
    const done = this.#guard(id, work).then(() => void this.#beside.delete(id));
    this.#beside.set(id, done);
  }

  /** Resolves when no command is in progress, or at the deadline. */
  async end(deadline: Deadline): Promise<void> {
    const running = Array.from(this.#running.values(), ({ done }) => done);
    await within(deadline, () => Promise.all([...running, ...this.#beside.values()]));
  }

  async #guard(id: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (err) {
      this.#log.error({ err, workload: id }, "command failed; the next pass retries");
      return false;
    }
  }
}
