// Cuts a house off from its store, as a database that is being restarted does: every call is refused
// as the store refuses it then.

import { Fault } from "../../src/domain/fault.ts";
import type { Store } from "../../src/store/store.ts";

export interface Cut {
  /** How many calls were refused. */
  refused: number;
  mend(): void;
}

/** `lostAnswers` does what is asked and then loses the answer, as a connection cut in a commit does. */
export function cutStore(store: Store, { lostAnswers = false } = {}): Cut {
  const { read, write } = store;
  const cut: Cut = {
    refused: 0,
    mend: () => Object.assign(store, { read, write }),
  };
  const refuse = async (): Promise<never> => {
    cut.refused++;
    throw new Fault("store_unavailable");
  };
  store.read = refuse;
  store.write = lostAnswers
    ? async (...args) => {
        await write.apply(store, args as never);
        return refuse();
      }
    : refuse;
  return cut;
}
