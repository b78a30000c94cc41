// A mutex per key. Two starts of the same workload never overlap, and a stop during a start waits for
// it; different keys do not wait for each other.

export class KeyedMutex {
  #last = new Map<string, Promise<unknown>>();

  /** Runs `work` after all earlier work under this key. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = this.#last.get(key) ?? Promise.resolve();
    const result = previous.then(work, work);
    this.#last.set(key, result);
    const forget = () => {
      if (this.#last.get(key) === result) this.#last.delete(key);
    };
    result.then(forget, forget);
    return result;
  }
}
