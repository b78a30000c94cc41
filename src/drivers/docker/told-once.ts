// The engine's news and our own commands say the same: listeners hear each of it once.

import type { ChangeListeners } from "../change-listeners.ts";

const REMEMBERED = 4;

export class ToldOnce {
  readonly #listeners: ChangeListeners;
  readonly #told = new Map<string, string[]>();

  constructor(listeners: ChangeListeners) {
    this.#listeners = listeners;
  }

  tell(id: string, what: string): void {
    const told = this.#told.get(id) ?? [];
    if (told.includes(what)) return;
    this.#told.set(id, [...told, what].slice(-REMEMBERED));
    this.#listeners.tell(id);
  }

  forget(id: string): void {
    this.#told.delete(id);
  }
}
