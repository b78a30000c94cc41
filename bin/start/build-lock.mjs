// One build of the bundle at a time. Two builds would do no harm, but cost twice.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { folder, isRunning } from "./bundle-store.mjs";

const file = path.join(folder, "building");
/** No build takes so long: the process that held the lock ended without releasing it, and another has its id. */
const MAX_BUILD_MS = 600_000;

/** Returns the function that releases the lock; null while another process holds it. */
export function takeBuildLock() {
  if (isBuilding()) return null;
  mkdirSync(folder, { recursive: true });
  rmSync(file, { force: true });
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
  } catch (error) {
    if (error.code === "EEXIST") return null;
    throw error;
  }
  return () => rmSync(file, { force: true });
}

export function isBuilding() {
  try {
    const isRecent = Date.now() - statSync(file).mtimeMs < MAX_BUILD_MS;
    return isRecent && isRunning(readFileSync(file, "utf8"));
  } catch {
    return false; // there is no lock, or it has just been released
  }
}
