// The check of the data folder: usable by its owner and by no other user.

import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { isOpenToOthers } from "../../installation/data-folder.ts";
import type { Finding } from "./finding.ts";

const about = "data folder";

export function checkDataFolder(folder: string): Finding {
  const { W_OK, X_OK, R_OK } = constants;
  try {
    accessSync(folder, R_OK | W_OK | X_OK);
    if (isOpenToOthers(folder)) {
      const says = `other users of this machine can read ${folder}, which holds keys`;
      return { level: "warn", about, says, fix: `chmod 700 ${folder}` };
    }
    return { level: "ok", about, says: folder };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") {
      const fix = "give it to the user that runs Freehold, or name another with --data";
      return { level: "fail", about, says: `${folder} cannot be used: ${message}`, fix };
    }
  }
  return checkParent(folder);
}

/** The first start creates it, if it may. */
function checkParent(folder: string): Finding {
  const parent = nearestFolder(folder);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    return { level: "ok", about, says: `${folder} is created by the first start` };
  } catch {
    const says = `${folder} cannot be created: ${parent} is not writable`;
    return { level: "fail", about, says, fix: "name another folder with --data" };
  }
}

/** The folder itself, or its nearest existing parent. */
export function nearestFolder(folder: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    try {
      if (statSync(at).isDirectory() || at === path.dirname(at)) return at;
    } catch {}
  }
}
