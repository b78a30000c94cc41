// Who wants to hear that a workload started or ended. A listener that throws harms nobody else,
// because what it is told is only a hint.

export class ChangeListeners {
  #listeners = new Set<{ call: (id: string) => void }>();

  add(call: (id: string) => void): () => void {
    const entry = { call };
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  tell(id: string): void {
    for (const { call } of [...this.#listeners]) {
      try {
        call(id);
      } catch {
        // The listener's own affair: the truth is in `list`.
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
