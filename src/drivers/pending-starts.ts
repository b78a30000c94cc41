// The starts of a driver that a stop may end before their container runs.

/** Knows a start from its call on, so that a stop reaches it whatever it waits for. */
export class PendingStarts {
  readonly #starts = new Map<string, Set<AbortController>>();

  /** `stopped` aborts with the first stop of the workload that follows. */
  async run<T>(id: string, start: (stopped: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    const all = this.#starts.get(id) ?? new Set();
    this.#starts.set(id, all.add(stop));
    try {
      return await start(stop.signal);
    } finally {
      all.delete(stop);
      if (all.size === 0) this.#starts.delete(id);
    }
  }

  stop(id: string): void {
    for (const start of this.#starts.get(id) ?? []) start.abort();
  }

  stopAll(): void {
    for (const id of this.#starts.keys()) this.stop(id);
  }
}
