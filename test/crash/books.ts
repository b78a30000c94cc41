// An auditor's view of a database: its rows, and its integrity.

import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { databaseOf } from "./seed.ts";

export interface Books {
  all<Row>(sql: string): Promise<Row[]>;
  /** The result of the database's own integrity check. */
  damage(): Promise<string[]>;
  close(): Promise<void>;
}

export function sqliteBooks(dataFolder: string): Books {
  const db = new DatabaseSync(databaseOf(dataFolder), { readOnly: true });
  return {
    all: async <Row>(sql: string) => db.prepare(sql).all() as Row[],
    async damage() {
      const [found] = db.prepare("pragma integrity_check").all() as { integrity_check: string }[];
      return found?.integrity_check === "ok" ? [] : [`integrity_check: ${found?.integrity_check}`];
    },
    close: async () => db.close(),
  };
}

const BIGINT = 20;
const NUMERIC = 1700;

export async function postgresBooks(url: string): Promise<Books> {
  const numbers = [BIGINT, NUMERIC];
  const types = {
    getTypeParser: ((id: number, format?: "text" | "binary") =>
      numbers.includes(id) ? Number : pg.types.getTypeParser(id, format)) as never,
  };
  const client = new pg.Client({ connectionString: url, types });
  await client.connect();
  return {
    all: async <Row>(sql: string) => (await client.query(sql)).rows as Row[],
    damage: async () => [],
    close: () => client.end(),
  };
}
