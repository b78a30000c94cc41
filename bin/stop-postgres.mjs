// The clean-up of PostgreSQL test servers: stops the server in a folder, if there is one, and removes
// the folder. SIGQUIT is the fastest stop; the data is not needed. Usage: node bin/stop-postgres.mjs <folder>
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export function stopPostgres(folder) {
  const file = path.join(folder, "data", "postmaster.pid");
  if (existsSync(file)) {
    try {
      process.kill(Number(readFileSync(file, "utf8").split("\n")[0]), "SIGQUIT");
      for (let tries = 0; tries < 3_000 && existsSync(file); tries++) pause(20);
    } catch {
      // The server has already ended.
    }
  }
  rmSync(folder, { recursive: true, force: true });
}

function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) stopPostgres(process.argv[2]);
