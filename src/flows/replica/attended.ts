// The machines that this replica attends: the one it runs on, and those at an address of their own
// while their duty is this replica's. Only who attends a machine sees what runs there.

import type { Looking } from "../../drivers/driver.ts";
import { UsageBook } from "../usage/book.ts";

/** What is seen of one machine. */
export interface Sight {
  /** What looks at the workloads of each driver there. */
  looking: readonly Looking[];
  /** What they used lately. */
  usage: UsageBook;
}

export class Attended {
  readonly #sights = new Map<string, Sight>();

  /** Undefined where another replica attends it, or nobody does. */
  at(machine: string): Sight | undefined {
    return this.#sights.get(machine);
  }

  begin(machine: string, looking: readonly Looking[]): Sight {
    const sight = { looking, usage: new UsageBook() };
    this.#sights.set(machine, sight);
    return sight;
  }

  /** Unless somebody attends it anew meanwhile. */
  end(machine: string, sight: Sight): void {
    if (this.#sights.get(machine) === sight) this.#sights.delete(machine);
  }
}
