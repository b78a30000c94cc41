// Disconnects a service from its store: every call fails as it does while a database restarts.

import { Fault } from "../../src/domain/fault.ts";
import type { Store } from "../../src/store/engine/store.ts";

export interface Cut {
  /** The number of failed calls. */
  refused: number;
  /** The writes that were committed and whose answers were lost. */
  lost: unknown[];
  fix(): void;
}

/**
 * `lostAnswers` runs the call and then loses its result, like a connection that is cut in a commit.
 */
export function cutStore(store: Store, { lostAnswers = false } = {}): Cut {
  const { read, write } = store;
  const cut: Cut = {
    refused: 0,
    lost: [],
    fix: () => Object.assign(store, { read, write }),
  };
  const refuse = async (): Promise<never> => {
    cut.refused++;
    throw new Fault("store_unavailable");
  };
  store.read = refuse;
  store.write = lostAnswers
    ? async (...args) => {
        await write.apply(store, args as never);
        cut.lost.push(args[0]);
        return refuse();
      }
    : refuse;
  return cut;
}
