// A backup: one file that holds the whole store as it was at one instant, made while the service runs.

import { existsSync, statSync } from "node:fs";
import path from "node:path";
import type { Examined } from "../../store/dialect/sqlite/file.ts";
import { Refusal } from "../refusal.ts";
import { examinedCopy } from "./examined-copy.ts";
import type { Progress } from "./progress.ts";
import { RESTORED, STORE } from "./put-in-place.ts";
import { writeWhole } from "./whole-file.ts";

export interface BackupWish {
  dataFolder: string;
  /** Where the backup goes. */
  file: string;
  /** Whether a file of that name may be replaced. */
  replace: boolean;
}

export async function backUp(wish: BackupWish, progress: Progress): Promise<Examined> {
  const { dataFolder, file } = wish;
  const from = path.join(dataFolder, STORE);
  if (!existsSync(from)) {
    throw new Refusal(`there is no ${STORE} in ${dataFolder}; name the data folder with --data`);
  }
  if (existsSync(path.join(dataFolder, RESTORED))) {
    throw new Refusal(`a restore into ${dataFolder} was cut off; \`freehold up\` finishes it`);
  }
  checkTarget(wish);
  return await writeWhole(file, (to) => examinedCopy({ from, to, inUse: true }, progress));
}

function checkTarget({ file, replace }: BackupWish): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new Refusal(`${file} is a folder; name a file in it`);
  if (found && !replace) {
    throw new Refusal(`${file} is there already; name another file, or replace it with --replace`);
  }
  if (!existsSync(path.dirname(file))) {
    throw new Refusal(`there is no folder ${path.dirname(file)} for the backup`);
  }
}
