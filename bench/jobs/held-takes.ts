// Many held polls over one blocking fetch. A take first asks without blocking, all of them at once;
// those that got nothing wait, and one blocking fetch serves them: when it wakes, the others ask
// again together, so that a burst of jobs does not trickle out one round trip at a time.
import type { Hold } from "./queue.ts";

interface Waiting<T> {
  resolve: (item: T | undefined) => void;
  timer: NodeJS.Timeout;
}

export class HeldTakes<T> {
  #fetch: (block: boolean) => Promise<T | undefined>;
  #waiting = new Set<Waiting<T>>();
  /** Fetched for a poll that had hung up by then; the next take gets it. */
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
      hold.whenGone(end);
      void this.#pump();
    });
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    while (this.#waiting.size > 0) {
      const first = await this.#fetch(true);
      if (!first) continue;
      this.#hand(first);
      const rest = Array.from(this.#waiting, async () => {
        const item = await this.#fetch(false);
        if (item) this.#hand(item);
      });
      await Promise.all(rest);
    }
    this.#pumping = false;
  }

  #hand(item: T): void {
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
