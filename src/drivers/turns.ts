// One thing at a time per workload: two starts of the same id never overlap, and a stop that comes
// during a start waits for it. Different ids do not wait for each other.

export class Turns {
  #last = new Map<string, Promise<unknown>>();

  /** Runs `work` after everything that was asked for this id before. */
  take<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(id) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(id, mine);
    const forget = () => {
      if (this.#last.get(id) === mine) this.#last.delete(id);
    };
    mine.then(forget, forget);
    return mine;
  }
}
