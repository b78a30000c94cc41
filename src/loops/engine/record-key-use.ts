// Records the last use of keys, each at most once a minute.

import type { KeyUse } from "../../flows/account/key-use.ts";
import type { Store } from "../../store/engine/store.ts";
import { recordKeyUse } from "../../transactions/api-key/record-use.ts";
import { recordS3KeyUse } from "../../transactions/s3/key.ts";
import type { Loop } from "./loop.ts";

export interface RecordKeyUseDeps {
  store: Store;
  uses: KeyUse;
  s3Uses: KeyUse;
}

export function noteKeyUseLoop({ store, uses, s3Uses }: RecordKeyUseDeps): Loop {
  const write = async () => {
    await uses.record((lastAt) => store.write(recordKeyUse, lastAt));
    await s3Uses.record((lastAt) => store.write(recordS3KeyUse, lastAt));
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
