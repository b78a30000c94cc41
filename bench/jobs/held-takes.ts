// Many held polls over one blocking fetch. A take first asks without blocking, all of them at once;
// those that got nothing wait, and one blocking fetch serves them: when it wakes, the others ask
// again together, so that a burst of jobs does not trickle out one round trip at a time.
interface Waiting<T> {
  resolve: (item: T | undefined) => void;
  timer: NodeJS.Timeout;
}

export class HeldTakes<T> {
  #fetch: (block: boolean) => Promise<T | undefined>;
  #waiting = new Set<Waiting<T>>();
  #pumping = false;

  constructor(fetch: (block: boolean) => Promise<T | undefined>) {
    this.#fetch = fetch;
  }

  async take(holdMs: number): Promise<T | undefined> {
    const item = await this.#fetch(false);
    return item ?? this.#hold(holdMs);
  }

  #hold(holdMs: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        resolve(undefined);
      }, holdMs);
      const waiting: Waiting<T> = { resolve, timer };
      this.#waiting.add(waiting);
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

  /** A job that nobody waits for any more stays leased here until its lease runs out. */
  #hand(item: T): void {
    const [first] = this.#waiting;
    if (!first) return;
    this.#waiting.delete(first);
    clearTimeout(first.timer);
    first.resolve(item);
  }
}
