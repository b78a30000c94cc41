// The log of a simulated worker: its newest thousand lines.

import type { LogLine } from "../driver.ts";

const MAX_LINES = 1000;

export class SimulatedLog {
  #lines: LogLine[] = [];
  #count = 0;
  readonly #waiters = new Set<() => void>();

  add(at: number, text: string): void {
    this.#lines.push({ at, text, mark: String(++this.#count) });
    if (this.#lines.length >= 2 * MAX_LINES) this.#lines = this.#lines.slice(-MAX_LINES);
    this.wake();
  }

  tail(count: number, since = 0): LogLine[] {
    if (!(count > 0)) return [];
    const lines = this.#lines.slice(-MAX_LINES).filter(({ at }) => at! >= since);
    return lines.slice(-count).map((line) => ({ ...line }));
  }

  /** The lines after a mark, then new lines until `isOver` says that no more will come. */
  async *follow(
    after: string | null,
    signal: AbortSignal,
    isOver: () => boolean,
  ): AsyncGenerator<LogLine[]> {
    const wake = () => this.wake();
    signal.addEventListener("abort", wake, { once: true });
    try {
      for (let position = Number(after ?? 0); !signal.aborted; ) {
        const ended = isOver();
        const lines = this.#lines.filter(({ mark }) => Number(mark) > position);
        position = Number(lines.at(-1)?.mark ?? position);
        if (lines.length > 0) yield lines.map((line) => ({ ...line }));
        if (ended) return;
        if (position === this.#count && !isOver() && !signal.aborted) {
          await new Promise<void>((resolve) => this.#waiters.add(resolve));
        }
      }
    } finally {
      signal.removeEventListener("abort", wake);
    }
  }

  /** Wakes all followers. */
  wake(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const resolve of waiters) resolve();
  }
}
