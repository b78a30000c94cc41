// Held polls over one blocking fetch. A take first fetches without blocking. Takes without an item wait for one blocking
// fetch; when it returns, all of them fetch again at once, so that a burst of jobs does not take a round trip each.
import type { Hold } from "./queue.ts";

interface Waiting<T> {
  resolve: (item: T | undefined) => void;
  timer: NodeJS.Timeout;
}

export class HeldTakes<T> {
  #fetch: (block: boolean) => Promise<T | undefined>;
  #waiting = new Set<Waiting<T>>();
  /** Fetched for a poll that was closed meanwhile; the next take gets it. */
  #spare: T[] = [];
  #pumping = false;

  constructor(fetch: (block: boolean) => Promise<T | undefined>) {
    this.#fetch = fetch;
  }

  async take(hold: Hold): Promise<T | undefined> {
    const item = this.#spare.pop() ?? (await this.#fetch(false));
    return item ?? this.#hold(hold);
  }

  #hold(hold: Hold): Promise<T | undefined> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        resolve(undefined);
      };
      const timer = setTimeout(end, hold.ms);
      const waiting: Waiting<T> = { resolve, timer };
      this.#waiting.add(waiting);
      hold.onClose(end);
      void this.#pump();
    });
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    while (this.#waiting.size > 0) {
      const first = await this.#fetch(true);
      if (!first) continue;
      this.#deliver(first);
      const rest = Array.from(this.#waiting, async () => {
        const item = await this.#fetch(false);
        if (item) this.#deliver(item);
      });
      await Promise.all(rest);
    }
    this.#pumping = false;
  }

  #deliver(item: T): void {
    const [first] = this.#waiting;
    if (!first) {
      this.#spare.push(item);
      return;
    }
    this.#waiting.delete(first);
    clearTimeout(first.timer);
    first.resolve(item);
  }
}
