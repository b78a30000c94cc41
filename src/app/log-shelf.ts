// Logs of containers that are no more are kept in the store, so that whichever replica attends their
// machine has them.

import type { LogShelf } from "../drivers/docker/kept-logs.ts";
import { addKeptLog, forgetKeptLog, keptLog } from "../store/kept-log.ts";
import type { Store } from "../store/store.ts";

export function logShelf(store: Store): LogShelf {
  return {
    pieces: (id) => store.read(keptLog, id),
    add: (id, piece, most) => store.write(addKeptLog, id, piece, most),
    forget: (id) => store.write(forgetKeptLog, id),
  };
}
