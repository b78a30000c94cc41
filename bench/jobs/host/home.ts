// Homes of Freehold servers: their data, which outlives them until it is dropped. A home can be filled before a server
// starts, and several servers can share one.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openPostgres } from "../../../src/store/engine/postgres/open.ts";
import { openSqlite } from "../../../src/store/engine/sqlite/open.ts";
import type { Store } from "../../../src/store/engine/store.ts";
import { seedBench } from "../bench-data.ts";
import { postgres } from "./postgres.ts";

export interface Home {
  /** A folder on the measured disk. */
  folder: string;
  /** The environment of a server with this home. */
  environment: Record<string, string>;
  /** Other processes that work for the server, by name, with all their descendants. */
  processes: Record<string, number[]>;
  /** Opens the store. No server may run on it meanwhile. */
  open(): Promise<Store>;
  /** Runs the maintenance that the database would do some time after many writes. */
  tidy(): Promise<void>;
  drop(): Promise<void>;
}

/** Creates a home with no more data than the load needs. */
export type NewHome = () => Promise<Home>;

export const sqliteHome: NewHome = async () => {
  const folder = newFolder();
  const open = async () => openSqlite(path.join(folder, "freehold.db"));
  await seed(open);
  return {
    folder,
    environment: { FREEHOLD_DATA: folder },
    processes: {},
    open,
    tidy: async () => {},
    drop: async () => dropFolder(folder),
  };
};

export const postgresHome: NewHome = async () => {
  const server = await postgres();
  const url = await server.newDatabase();
  const folder = newFolder();
  const open = () => openPostgres(url);
  await seed(open);
  return {
    folder,
    environment: {
      FREEHOLD_DATA: folder,
      FREEHOLD_DATABASE_URL: url,
      FREEHOLD_SECRET_KEY: "0".repeat(64),
    },
    processes: { postgres: [server.pid] },
    open,
    tidy: () => server.tidy(url),
    drop: async () => {
      dropFolder(folder);
      await server.dropDatabase(url);
    },
  };
};

export function newFolder(): string {
  return mkdtempSync(path.join(tmpdir(), "freehold-bench-"));
}

export function dropFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

async function seed(open: () => Promise<Store>): Promise<void> {
  const store = await open();
  await seedBench(store);
  await store.close();
}
