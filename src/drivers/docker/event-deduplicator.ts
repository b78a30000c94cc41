// A filter for events that both the engine and a command report: listeners receive each one once.

import type { ChangeListeners } from "../change-listeners.ts";

const MAX_REMEMBERED = 4;

export class EventDeduplicator {
  readonly #listeners: ChangeListeners;
  readonly #recent = new Map<string, string[]>();

  constructor(listeners: ChangeListeners) {
    this.#listeners = listeners;
  }

  notify(id: string, event: string): void {
    const recent = this.#recent.get(id) ?? [];
    if (recent.includes(event)) return;
    this.#recent.set(id, [...recent, event].slice(-MAX_REMEMBERED));
    this.#listeners.notify(id);
  }

  forget(id: string): void {
    this.#recent.delete(id);
  }
}
