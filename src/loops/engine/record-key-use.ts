// Records the last use of keys, each at most once a minute.

import type { KeyUse } from "../../flows/account/key-use.ts";
import { recordKeyUses } from "../../store/api-key/api-key.ts";
import type { Store } from "../../store/engine/store.ts";
import type { Loop } from "./loop.ts";

export function noteKeyUseLoop({ store, uses }: { store: Store; uses: KeyUse }): Loop {
  const write = async () => {
    const noted = uses.take();
    if (noted.size > 0) await store.write(recordKeyUses, noted);
  };
  return {
    name: "note-key-use",
    shared: false,
    periodMs: 60_000,
    restMs: 60_000,
    topics: [],
    async run() {
      await write();
      return null;
    },
    finish: write,
  };
}
