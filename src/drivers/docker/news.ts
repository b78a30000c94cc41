// What happens to workloads before they have a container that could print anything.

import type { Clock } from "../../base/clock.ts";
import type { LogLine } from "../driver.ts";

const MOST_WORKLOADS = 500;
const MOST_LINES = 100;

export class News {
  readonly #clock: Clock;
  readonly #lines = new Map<string, LogLine[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  tell(id: string, text: string): void {
    const lines = this.#lines.get(id) ?? [];
    this.#lines.set(id, [...lines, { at: this.#clock.now(), text }].slice(-MOST_LINES));
    if (this.#lines.size <= MOST_WORKLOADS) return;
    const [oldest] = this.#lines.keys();
    this.#lines.delete(oldest!);
  }

  of(id: string): LogLine[] {
    return this.#lines.get(id) ?? [];
  }

  forget(id: string): void {
    this.#lines.delete(id);
  }
}
