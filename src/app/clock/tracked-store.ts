// A store whose reads and writes count as activity.

import { StoreWrapper } from "../../flows/store-wrapper.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import type { Activity } from "./activity.ts";

export class TrackedStore extends StoreWrapper {
  readonly #activity: Activity;

  constructor(inner: Store, activity: Activity) {
    super(inner);
    this.#activity = activity;
  }

  write<Args extends unknown[], Result>(
    transaction: (...args: Args) => Tx<Result>,
    ...args: Args
  ): Promise<Result> {
    return this.#activity.track(this.inner.write(transaction, ...args));
  }

  override read<Args extends unknown[], Result>(
    transaction: (...args: Args) => Tx<Result>,
    ...args: Args
  ): Promise<Result> {
    return this.#activity.track(this.inner.read(transaction, ...args));
  }
}
