// A restore: a backup becomes the store of a data folder that no service uses, whole or not at all.

import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../../base/refusal.ts";
import type { ProgressLine } from "../../base/text/progress-line.ts";
import type { Examined } from "../../store/engine/sqlite/file.ts";
import { takeDataFolder } from "../data-folder.ts";
import { folderIdentity } from "../folder-identity.ts";
import { finishRestore, RESTORED, STORE } from "../put-in-place.ts";
import { examinedCopy } from "./examined-copy.ts";
import { writeWhole } from "./whole-file.ts";

export interface RestoreRequest {
  dataFolder: string;
  /** The backup file. */
  file: string;
  /** Whether existing data may be replaced. */
  replace: boolean;
}

export async function restore(request: RestoreRequest, progress: ProgressLine): Promise<Examined> {
  const { file, replace } = request;
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new Refusal(`there is no file ${file}`);
  }
  const folder = takeDataFolder(request.dataFolder);
  try {
    if (existsSync(path.join(folder.path, STORE)) && !replace) {
      throw new Refusal(
        `${folder.path} already holds data; pass --replace to replace it permanently with the backup`,
      );
    }
    const restored = path.join(folder.path, RESTORED);
    const examined = await writeWhole(restored, async (to) => {
      const copy = await examinedCopy({ from: file, to, inUse: false }, progress);
      checkInstallation(folder.path, file, copy.installation);
      return copy;
    });
    finishRestore(folder.path);
    return examined;
  } finally {
    folder.release();
  }
}

/** Refuses what the next `freehold up` would refuse, while the store of the folder is still there. */
function checkInstallation(folder: string, file: string, backup: string | null): void {
  const { installation } = folderIdentity(folder);
  if (installation === null || backup === null || installation === backup) return;
  throw new Refusal(
    `${file} is a backup of installation ${backup}, but the data folder ${folder} belongs to ` +
      `installation ${installation}; restore it into another folder`,
  );
}
