// A restore: a backup becomes the store of a data folder that no service uses, whole or not at all.

import { existsSync, statSync } from "node:fs";
import path from "node:path";
import type { Examined } from "../../store/dialect/sqlite/file.ts";
import { takeDataFolder } from "../data-folder.ts";
import { Refusal } from "../refusal.ts";
import { examinedCopy } from "./examined-copy.ts";
import type { Progress } from "./progress.ts";
import { finishRestore, RESTORED, STORE } from "./put-in-place.ts";
import { writeWhole } from "./whole-file.ts";

export interface RestoreWish {
  dataFolder: string;
  /** The backup. */
  file: string;
  /** Whether data that is there may give way. */
  replace: boolean;
}

export async function restore(wish: RestoreWish, progress: Progress): Promise<Examined> {
  const { file, replace } = wish;
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new Refusal(`there is no file ${file}`);
  }
  const folder = takeDataFolder(wish.dataFolder);
  try {
    if (existsSync(path.join(folder.path, STORE)) && !replace) {
      throw new Refusal(
        `${folder.path} holds data already; --replace puts the backup in its place for good`,
      );
    }
    const restored = path.join(folder.path, RESTORED);
    const examined = await writeWhole(restored, (to) =>
      examinedCopy({ from: file, to, inUse: false }, progress),
    );
    finishRestore(folder.path);
    return examined;
  } finally {
    folder.release();
  }
}
