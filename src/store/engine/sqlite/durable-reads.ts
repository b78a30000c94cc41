// Reads during a long sync. A second connection holds the state before the commit that is being synced, so that
// the sync of a large body delays no reads.

import { DatabaseSync } from "node:sqlite";
import { type Prepared, prepare } from "./prepare.ts";

export class DurableReads {
  readonly #file: string;
  #db: DatabaseSync | null = null;
  #prepared = new Map<string, Prepared>();
  #isHolding = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Holds the committed state until `release`. */
  hold(): void {
    this.release(); // a failed commit may have left it held
    this.#db ??= new DatabaseSync(this.#file, { readOnly: true });
    this.#db.exec("begin; select 1 from setting limit 1"); // the first read takes the snapshot
    this.#isHolding = true;
  }

  release(): void {
    if (!this.#isHolding) return;
    this.#isHolding = false;
    this.#db!.exec("commit");
  }

  /** True while there is a held state for `query` to read. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  readonly query = (sql: string, params: unknown[]): unknown[] => {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = prepare(this.#db!, sql);
      this.#prepared.set(sql, statement);
    }
    return statement.all(params);
  };

  close(): void {
    this.#db?.close();
  }
}
