// A binary heap of future events, earliest first; events of one instant keep their order.

interface Entry<Event> {
  at: number;
  order: number;
  event: Event;
}

export class Timetable<Event> {
  #heap: Entry<Event>[] = [];
  #order = 0;

  get nextAt(): number | null {
    return this.#heap[0]?.at ?? null;
  }

  put(at: number, event: Event): void {
    const heap = this.#heap;
    heap.push({ at, order: this.#order++, event });
    for (let child = heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!sooner(heap[child]!, heap[parent]!)) break;
      this.#swap(child, parent);
      child = parent;
    }
  }

  /** Removes the earliest event; throws if there is none. */
  take(): Entry<Event> {
    const heap = this.#heap;
    const first = heap[0];
    if (!first) throw new Error("nothing is left to happen");
    this.#swap(0, heap.length - 1);
    heap.pop();
    for (let parent = 0; ; ) {
      let least = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2]) {
        if (child < heap.length && sooner(heap[child]!, heap[least]!)) least = child;
      }
      if (least === parent) return first;
      this.#swap(parent, least);
      parent = least;
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  }
}

const sooner = (a: Entry<unknown>, b: Entry<unknown>) =>
  a.at < b.at || (a.at === b.at && a.order < b.order);
