// Locks by name within this replica, which alone serves its machine's volumes: of two conditional
// writes of one key, one decides on the result of the other.

export class ObjectLocks {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` after all earlier work under this name. */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#last.get(name) ?? Promise.resolve()).then(work, work);
    this.#last.set(name, result);
    const forget = () => {
      if (this.#last.get(name) === result) this.#last.delete(name);
    };
    result.then(forget, forget);
    return result;
  }
}
