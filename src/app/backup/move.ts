// A move: what a data folder's SQLite store holds goes into an empty PostgreSQL, all or nothing.

import { existsSync, renameSync } from "node:fs";
import path from "node:path";
import { NewerSchema } from "../../store/dialect/migrations.ts";
import { explain } from "../../store/dialect/postgres/cannot-open.ts";
import {
  type Moved,
  moveIn,
  NotMoved,
  OutcomeUnknown,
} from "../../store/dialect/postgres/move-in.ts";
import { openSource } from "../../store/dialect/sqlite/rows.ts";
import { takeDataFolder } from "../data-folder.ts";
import { Refusal } from "../refusal.ts";
import type { Progress } from "./progress.ts";
import { MOVED, STORE, syncFolder } from "./put-in-place.ts";

const UNKNOWN =
  "the connection was lost in the last moment, and only the database knows whether all was moved: " +
  "move again, and it is there if the move is refused because the database holds data";

export async function move(dataFolder: string, url: string, progress: Progress): Promise<Moved> {
  const file = path.join(dataFolder, STORE);
  if (!existsSync(dataFolder)) throw new Refusal(`there is no data folder ${dataFolder}`);
  const folder = takeDataFolder(dataFolder);
  try {
    if (!existsSync(file)) throw new Refusal(`there is no ${STORE} in ${dataFolder} to be moved`);
    const moved = await moveStore(file, url, progress);
    renameSync(file, path.join(dataFolder, MOVED));
    syncFolder(dataFolder);
    return moved;
  } finally {
    folder.release();
  }
}

async function moveStore(file: string, url: string, progress: Progress): Promise<Moved> {
  const source = await openSource(file).catch((error: Error) => {
    throw new Refusal(`${file} cannot be read: ${error.message}`);
  });
  try {
    return await moveIn(url, source, ({ name, rows }, done) =>
      progress.show(`${name}: ${done} of ${rows} rows`),
    );
  } catch (error) {
    if (error instanceof OutcomeUnknown) {
      throw new Refusal(`${UNKNOWN} (${error.message})`);
    }
    const known = error instanceof NotMoved || error instanceof NewerSchema;
    throw new Refusal(`nothing was moved: ${(known ? error : explain(error, url)).message}`);
  } finally {
    progress.clear();
    source.close();
  }
}
