// Listeners for the start or the end of a workload. An error in one listener does not reach the
// others, because a notification is only a hint.

export class ChangeListeners {
  #listeners = new Set<{ listener: (id: string) => void }>();

  add(listener: (id: string) => void): () => void {
    const entry = { listener };
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  notify(id: string): void {
    for (const { listener } of [...this.#listeners]) {
      try {
        listener(id);
      } catch {
        // A lost notification does no harm: `list` has the observed state.
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
