// The thread that copies and verifies a store. The call into SQLite is long; meanwhile the main
// thread shows progress and handles signals.

import { copyFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { SchemaRefused } from "../../store/engine/migrations.ts";
import { copySqlite, examineSqlite, NotAStore } from "../../store/engine/sqlite/file.ts";
import type { Examination, Task } from "./examined-copy.ts";

const { from, to, inUse } = workerData as Task;

function answer(): Examination {
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
    if (error instanceof SchemaRefused) return { newer: error.message };
    throw error;
  }
}

parentPort!.postMessage(answer());
