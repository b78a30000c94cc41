// Whether the data folder can be used, by its owner and by nobody else.

import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import type { Finding } from "./finding.ts";

const about = "data folder";

export function lookAtDataFolder(folder: string): Finding {
  const { W_OK, X_OK, R_OK } = constants;
  try {
    const { mode } = statSync(folder);
    accessSync(folder, R_OK | W_OK | X_OK);
    if (process.platform !== "win32" && mode & 0o077) {
      const says = `others on this machine can look into ${folder}, where the keys are`;
      return { level: "warn", about, says, mend: `chmod 700 ${folder}` };
    }
    return { level: "ok", about, says: folder };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") {
      const mend = "give it to the user that runs Freehold, or name another with --data";
      return { level: "fail", about, says: `${folder} cannot be used: ${message}`, mend };
    }
  }
  return lookAtParent(folder);
}

/** The first start makes it, if it may. */
function lookAtParent(folder: string): Finding {
  const parent = nearestFolder(folder);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    return { level: "ok", about, says: `${folder} is made by the first start` };
  } catch {
    const says = `${folder} cannot be made: ${parent} may not be written`;
    return { level: "fail", about, says, mend: "name another folder with --data" };
  }
}

/** The folder itself, or the nearest above it that exists. */
export function nearestFolder(folder: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    try {
      if (statSync(at).isDirectory() || at === path.dirname(at)) return at;
    } catch {}
  }
}
