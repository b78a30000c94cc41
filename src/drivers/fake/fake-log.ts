// What a fake worker did, in its own words; the newest thousand lines.
import type { LogLine } from "../driver.ts";

const KEPT_LINES = 1000;

export class FakeLog {
  #lines: LogLine[] = [];
  #count = 0;
  readonly #waiting = new Set<() => void>();

  add(at: number, text: string): void {
    this.#lines.push({ at, text, mark: String(++this.#count) });
    if (this.#lines.length >= 2 * KEPT_LINES) this.#lines = this.#lines.slice(-KEPT_LINES);
    this.wake();
  }

  tail(count: number, since = 0): LogLine[] {
    if (!(count > 0)) return [];
    const lines = this.#lines.slice(-KEPT_LINES).filter(({ at }) => at! >= since);
    return lines.slice(-count).map((line) => ({ ...line }));
  }

  /** What stands behind a mark, and what is said until `over` says that no more will come. */
  async *follow(
    after: string | null,
    gone: AbortSignal,
    over: () => boolean,
  ): AsyncGenerator<LogLine[]> {
    const wake = () => this.wake();
    gone.addEventListener("abort", wake, { once: true });
    try {
      for (let told = Number(after ?? 0); !gone.aborted; ) {
        const ended = over();
        const lines = this.#lines.filter(({ mark }) => Number(mark) > told);
        told = Number(lines.at(-1)?.mark ?? told);
        if (lines.length > 0) yield lines.map((line) => ({ ...line }));
        if (ended) return;
        if (told === this.#count && !over() && !gone.aborted) {
          await new Promise<void>((resolve) => this.#waiting.add(resolve));
        }
      }
    } finally {
      gone.removeEventListener("abort", wake);
    }
  }

  /** Something changed that a follower may wait for. */
  wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
