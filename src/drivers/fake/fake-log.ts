// What a fake worker did, in its own words; the newest thousand lines.
import type { LogLine } from "../driver.ts";

const KEPT_LINES = 1000;

export class FakeLog {
  #lines: LogLine[] = [];

  add(at: number, text: string): void {
    this.#lines.push({ at, text });
    if (this.#lines.length >= 2 * KEPT_LINES) this.#lines = this.#lines.slice(-KEPT_LINES);
  }

  tail(count: number): LogLine[] {
    if (!(count > 0)) return [];
    return this.#lines.slice(-Math.min(count, KEPT_LINES)).map((line) => ({ ...line }));
  }
}
