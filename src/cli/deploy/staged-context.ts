// A copy of a build context for the engine. Engines differ in whether they take a list of ignored files from outside the
// folder, and a folder of the user is not written to.

import { constants } from "node:fs";
import { copyFile, link, lstat, mkdir, readlink, symlink } from "node:fs/promises";
import path from "node:path";

/** Links the files, and copies them where the file systems differ. */
export async function stageContext(from: string, files: string[], to: string): Promise<void> {
  for (const name of files) {
    const [source, target] = [path.join(from, name), path.join(to, name)];
    await mkdir(path.dirname(target), { recursive: true });
    const entry = await lstat(source);
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isFile()) await linkOrCopy(source, target);
  }
}

async function linkOrCopy(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch {
    await copyFile(source, target, constants.COPYFILE_FICLONE);
  }
}
