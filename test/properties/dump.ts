// The content of a store as text, without the columns that heartbeats and polls change.

import { DatabaseSync } from "node:sqlite";

/** By table: the columns that change without any request. */
const VOLATILE = new Map([
  ["api_key", ["last_used_at"]],
  ["leadership", ["until"]],
  ["replica", ["seen_at"]],
  [
    "worker",
    ["seen_at", "ready_at", "polled_idle_at", "stop_polled_at", "pinged_at", "ping_version"],
  ],
]);

/** The loop that meters usage adds a row each minute. */
const METERED = "ledger_transaction";

export class Dump {
  readonly #db: DatabaseSync;
  readonly #tables: string[];

  /** Of all tables, or of `only` these. */
  constructor(file: string, only?: string[]) {
    this.#db = new DatabaseSync(file, { readOnly: true });
    const found = this.#db
      .prepare("select name from sqlite_schema where type = 'table' order by name")
      .all() as { name: string }[];
    this.#tables = found
      .map(({ name }) => name)
      .filter((name) => only?.includes(name) ?? name !== METERED);
  }

  take(): string {
    return this.#tables.map((table) => `${table}\n${this.#rows(table)}`).join("\n");
  }

  close(): void {
    this.#db.close();
  }

  #rows(table: string): string {
    const hidden = VOLATILE.get(table) ?? [];
    const rows = this.#db.prepare(`select * from ${table}`).all() as Record<string, unknown>[];
    return rows
      .map((row) => JSON.stringify(row, (name, value) => (hidden.includes(name) ? null : value)))
      .join("\n");
  }
}
