// Jobs that a client library hands to this process, and the polls that wait for them.
import { Fifo } from "./fifo.ts";
import type { Hold } from "./queue.ts";

export class Arrivals<Item> {
  #items = new Fifo<Item>();
  /** In the order of their arrival. */
  #polls = new Set<(item: Item | undefined) => void>();

  push(item: Item): void {
    const [first] = this.#polls;
    if (first) first(item);
    else this.#items.push(item);
  }

  take(hold: Hold): Item | Promise<Item | undefined> {
    const item = this.#items.shift();
    if (item !== undefined) return item;
    return new Promise((resolve) => {
      const end = (arrived: Item | undefined) => {
        clearTimeout(timer);
        this.#polls.delete(end);
        resolve(arrived);
      };
      const timer = setTimeout(() => end(undefined), hold.ms);
      this.#polls.add(end);
      hold.onClose(() => end(undefined));
    });
  }
}
