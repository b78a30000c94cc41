// A PostgreSQL of the bench's own: Debian's programs on disk below the temp folder, as durable as
// they come. Whoever is measured gets a database of its own on it, and all take turns on one server.

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
} from "../../test/postgres/server.ts";

const stop = path.join(import.meta.dirname, "..", "..", "bin", "stop-postgres.mjs");

/** Durable, and memory as for a small server; all else is as PostgreSQL ships it. */
const MANNER = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  shared_buffers: "512MB",
};

export interface RunningPostgres {
  pid: number;
  folder: string;
  /** An empty database; returns its URL. */
  newDatabase(): Promise<string>;
  /** Vacuums it and writes everything back. */
  tidy(url: string): Promise<void>;
  dropDatabase(url: string): Promise<void>;
}

let running: Promise<RunningPostgres> | null = null;

/** The one server of this run, started when it is first asked for and stopped with the bench. */
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
  await startServer(folder, MANNER);
  const file = path.join(folder, "data", "postmaster.pid");
  let made = 0;
  return {
    pid: Number(readFileSync(file, "utf8").split("\n")[0]),
    folder,
    async newDatabase() {
      made++;
      await commands(folder, [`create database bench${made}`]);
      return urlOf(folder, `bench${made}`);
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
