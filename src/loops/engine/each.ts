// Work that a pass does for each of several. One that fails does not hold up the others: the pass fails once all were tried.

import { DriverUnavailable } from "../../drivers/driver.ts";
import { isStoreUnavailable } from "../../flows/store-unavailable.ts";
import { PartialFailure } from "./loop.ts";

export class Each {
  readonly #failures: unknown[] = [];

  /** What the work for one comes to; undefined if it failed. Without the store or the driver the pass ends at once. */
  async try<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (isStoreUnavailable(error) || error instanceof DriverUnavailable) throw error;
      this.#failures.push(error);
      return undefined;
    }
  }

  /** The instant of the next pass. Throws PartialFailure if the work for one failed. */
  end(again: number | null): number | null {
    if (this.#failures.length > 0) throw new PartialFailure(this.#failures[0], again);
    return again;
  }
}
