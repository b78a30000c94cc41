// A first-in-first-out queue whose takes do not move the rest of it.
export class Fifo<T> {
  #head: T[] = [];
  #tail: T[] = [];

  push(item: T): void {
    this.#tail.push(item);
  }

  shift(): T | undefined {
    if (this.#head.length === 0) {
      this.#head = this.#tail.reverse();
      this.#tail = [];
    }
    return this.#head.pop();
  }
}
