// First in, first out, without moving the rest of a long queue at every take.
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
