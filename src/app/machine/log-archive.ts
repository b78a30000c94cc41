// The logs of removed containers, kept in the store so that every replica that manages their
// machine can read them.

import type { LogPieceStore } from "../../drivers/docker/log/archived-logs.ts";
import type { Store } from "../../store/engine/store.ts";
import { appendArchivedLog, archivedLog, forgetArchivedLog } from "../../store/log/archived-log.ts";

export function logPieceStore(store: Store): LogPieceStore {
  return {
    pieces: (id) => store.read(archivedLog, id),
    add: (id, piece, limit) => store.write(appendArchivedLog, id, piece, limit),
    forget: (id) => store.write(forgetArchivedLog, id),
  };
}
