// The thread that copies committed pages from SQLite's write-ahead log into the database file. It has a
// connection of its own. A checkpoint syncs both files, and the event loop must not wait for that.

import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const db = new DatabaseSync(workerData as string);
db.exec("pragma busy_timeout = 0; pragma wal_autocheckpoint = 0; pragma synchronous = normal;");
const checkpoint = db.prepare("pragma wal_checkpoint(passive)");

parentPort!.on("message", () => {
  const { log, checkpointed } = checkpoint.get() as { log: number; checkpointed: number };
  parentPort!.postMessage(log - checkpointed);
});
