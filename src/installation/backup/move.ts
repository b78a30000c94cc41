// A move: copies a data folder's SQLite store into an empty PostgreSQL database, all or nothing.

import { existsSync, renameSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../../base/refusal.ts";
import type { ProgressLine } from "../../base/text/progress-line.ts";
import { SchemaRefused } from "../../store/engine/migrations.ts";
import {
  type Moved,
  moveIn,
  NotMoved,
  OutcomeUnknown,
} from "../../store/engine/postgres/move/move-in.ts";
import { openErrorOf } from "../../store/engine/postgres/open-error.ts";
import { openSource } from "../../store/engine/sqlite/source.ts";
import { takeDataFolder } from "../data-folder.ts";
import { MOVED, STORE, syncFolder } from "../put-in-place.ts";

const UNKNOWN =
  "the connection was lost during the commit, so it is unknown whether the move completed: " +
  "run the move again; if it is refused because the database holds data, the move completed";

export async function move(
  dataFolder: string,
  url: string,
  progress: ProgressLine,
): Promise<Moved> {
  const file = path.join(dataFolder, STORE);
  if (!existsSync(dataFolder)) throw new Refusal(`there is no data folder ${dataFolder}`);
  const folder = takeDataFolder(dataFolder);
  try {
    if (!existsSync(file)) throw new Refusal(`there is no ${STORE} in ${dataFolder} to move`);
    const moved = await moveStore(file, url, progress);
    renameSync(file, path.join(dataFolder, MOVED));
    syncFolder(dataFolder);
    return moved;
  } finally {
    folder.release();
  }
}

async function moveStore(file: string, url: string, progress: ProgressLine): Promise<Moved> {
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
    const known = error instanceof NotMoved || error instanceof SchemaRefused;
    throw new Refusal(`nothing was moved: ${(known ? error : openErrorOf(error, url)).message}`);
  } finally {
    progress.clear();
    source.close();
  }
}
