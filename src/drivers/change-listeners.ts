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

const MAX_REMEMBERED = 4;
/** Only workloads with recent events matter: an event is repeated within a moment. */
const MAX_WORKLOADS = 1_000;

/** A filter for events that both the engine and a command report: listeners receive each one once. */
export class EventDeduplicator {
  readonly #listeners: ChangeListeners;
  readonly #recent = new Map<string, string[]>();

  constructor(listeners: ChangeListeners) {
    this.#listeners = listeners;
  }

  notify(id: string, event: string): void {
    const recent = this.#recent.get(id) ?? [];
    if (recent.includes(event)) return;
    this.#recent.delete(id);
    this.#recent.set(id, [...recent, event].slice(-MAX_REMEMBERED));
    if (this.#recent.size > MAX_WORKLOADS) this.forget(this.#recent.keys().next().value!);
    this.#listeners.notify(id);
  }

  forget(id: string): void {
    this.#recent.delete(id);
  }
}
