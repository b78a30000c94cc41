// The thread that copies and examines a store: a long call into SQLite, during which the main thread
// shows how far it is and hears signals.

import { copyFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { NewerSchema } from "../../store/dialect/migrations.ts";
import { copySqlite, examineSqlite, NotAStore } from "../../store/dialect/sqlite/file.ts";
import type { Answer, Task } from "./examined-copy.ts";

const { from, to, inUse } = workerData as Task;

function answer(): Answer {
  try {
    if (inUse) copySqlite(from, to);
    else copyFileSync(from, to);
  } catch (error) {
    return { notCopied: (error as Error).message };
  }
  try {
    return { examined: examineSqlite(to) };
  } catch (error) {
    if (error instanceof NotAStore) return { unfit: error.message };
    if (error instanceof NewerSchema) return { newer: error.message };
    throw error;
  }
}

parentPort!.postMessage(answer());
