// Stops the PostgreSQL that tests have started in a folder, if they have, and removes the folder:
// node bin/stop-postgres.mjs <folder>. Its data is nobody's, so it is stopped the quickest way.
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export function stopPostgres(folder) {
  const pid = serverIn(folder);
  if (pid !== null) {
    signal(pid, "SIGQUIT");
    for (let tries = 0; tries < 500 && signal(pid, 0); tries++) pause(20);
  }
  rmSync(folder, { recursive: true, force: true });
}

function serverIn(folder) {
  try {
    return Number(readFileSync(path.join(folder, "data", "postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return null;
  }
}

/** False where there is no such process any more. */
function signal(pid, name) {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) stopPostgres(process.argv[2]);
