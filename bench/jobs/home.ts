// Where a Freehold keeps its data: something that servers are started on, one after another or side
// by side, and that can be filled before. It outlives them until it is dropped.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openPostgres } from "../../src/store/dialect/postgres/open.ts";
import { openSqlite } from "../../src/store/dialect/sqlite/open.ts";
import type { Store } from "../../src/store/store.ts";
import { seedBench } from "./bench-data.ts";
import { postgres } from "./postgres.ts";

export interface Home {
  /** A folder on the disk that is measured. */
  folder: string;
  /** Tells a server that this is where it lives. */
  environment: Record<string, string>;
  /** What works for it beside the server, by name, with all descendants. */
  processes: Record<string, number[]>;
  /** For as long as no server runs on it. */
  open(): Promise<Store>;
  /** Does at once what the database would do by itself some time after much was written. */
  tidy(): Promise<void>;
  drop(): Promise<void>;
}

/** Makes a home that holds no more than what the load needs. */
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
