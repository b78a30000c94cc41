// A PostgreSQL server of the simulation's own, which can be restarted under the service.

import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { commands, killServer, makeServer, startServer, urlOf } from "../../postgres/server.ts";

const STOP = path.join(import.meta.dirname, "..", "..", "..", "bin", "stop-postgres.mjs");

export interface Database {
  url: string;
  /** Ends the server as a crash would, and starts it again. */
  restart(): Promise<void>;
  close(): void;
}

export async function openDatabase(): Promise<Database> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-simulator-"));
  await makeServer(folder);
  await startServer(folder);
  await commands(folder, ["create database simulator"]);
  return {
    url: urlOf(folder, "simulator"),
    async restart() {
      await killServer(folder);
      await startServer(folder);
    },
    close: () => void spawnSync(process.execPath, [STOP, folder]),
  };
}
