// A PostgreSQL server for the benchmark: Debian's programs, with full durability, below the temporary folder. Peers
// share the server, each with a database of its own.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  commands,
  findPrograms,
  makeServer,
  startServer,
  urlOf,
} from "../../../test/postgres/server.ts";

const stop = path.join(import.meta.dirname, "..", "..", "..", "bin", "stop-postgres.mjs");

/** Durable, with the memory of a small server; otherwise PostgreSQL's defaults. */
const SETTINGS = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  shared_buffers: "512MB",
};

export interface RunningPostgres {
  pid: number;
  folder: string;
  /** Creates an empty database and returns its URL. */
  newDatabase(): Promise<string>;
  /** Vacuums the database and runs a checkpoint. */
  tidy(url: string): Promise<void>;
  dropDatabase(url: string): Promise<void>;
}

let running: Promise<RunningPostgres> | null = null;

/** The server of this run, started by the first call and stopped with the benchmark. */
export function postgres(): Promise<RunningPostgres> {
  running ??= start();
  return running;
}

async function start(): Promise<RunningPostgres> {
  if (findPrograms() === null) {
    process.stderr.write("PostgreSQL is not installed; on Debian: apt install postgresql\n");
    process.exit(1);
  }
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-bench-"));
  process.on("exit", () => spawnSync(process.execPath, [stop, folder], { stdio: "inherit" }));
  await makeServer(folder);
  await startServer(folder, SETTINGS);
  const file = path.join(folder, "data", "postmaster.pid");
  let databases = 0;
  return {
    pid: Number(readFileSync(file, "utf8").split("\n")[0]),
    folder,
    async newDatabase() {
      databases++;
      await commands(folder, [`create database bench${databases}`]);
      return urlOf(folder, `bench${databases}`);
    },
    async tidy(url) {
      await commands(folder, ["vacuum (freeze, analyze)", "checkpoint"], nameOf(url));
    },
    async dropDatabase(url) {
      const name = nameOf(url);
      await commands(folder, [`drop database ${name} with (force)`]);
    },
  };
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
