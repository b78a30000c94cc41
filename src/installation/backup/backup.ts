// A backup: one file with the whole store as it was at one instant, made while the service runs.

import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../../base/refusal.ts";
import type { ProgressLine } from "../../base/text/progress-line.ts";
import type { Examined } from "../../store/engine/sqlite/file.ts";
import { RESTORED, STORE } from "../put-in-place.ts";
import { examinedCopy } from "./examined-copy.ts";
import { noteBackup } from "./last-backup.ts";
import { writeWhole } from "./whole-file.ts";

export interface BackupRequest {
  dataFolder: string;
  /** The file to write. */
  file: string;
  /** Whether an existing file may be replaced. */
  replace: boolean;
}

export async function backUp(request: BackupRequest, progress: ProgressLine): Promise<Examined> {
  const { dataFolder, file } = request;
  const from = path.join(dataFolder, STORE);
  if (!existsSync(from)) {
    throw new Refusal(`there is no ${STORE} in ${dataFolder}; name the data folder with --data`);
  }
  if (existsSync(path.join(dataFolder, RESTORED))) {
    throw new Refusal(
      `a restore into ${dataFolder} was interrupted; run \`freehold up\` to complete it`,
    );
  }
  checkTarget(request);
  const examined = await writeWhole(file, (to) =>
    examinedCopy({ from, to, inUse: true }, progress),
  );
  noteBackup(dataFolder, file);
  return examined;
}

function checkTarget({ file, replace }: BackupRequest): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new Refusal(`${file} is a folder; name a file in it`);
  if (found && !replace) {
    throw new Refusal(`${file} exists; name another file, or pass --replace to replace it`);
  }
  if (!existsSync(path.dirname(file))) {
    throw new Refusal(`there is no folder ${path.dirname(file)} for the backup`);
  }
}
