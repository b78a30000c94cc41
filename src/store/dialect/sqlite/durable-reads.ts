// What is durable stays readable while a long sync is under way: a second connection keeps the
// database as it was before the commit that is being synced, so that a large body on its way to the
// disk delays nobody who only looks.

import { DatabaseSync, type StatementSync } from "node:sqlite";

export class DurableReads {
  readonly #file: string;
  #db: DatabaseSync | null = null;
  #prepared = new Map<string, StatementSync>();
  #holding = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Keeps what is committed by now, until it is let go. */
  hold(): void {
    this.letGo(); // a commit that failed may have left it
    this.#db ??= new DatabaseSync(this.#file, { readOnly: true });
    this.#db.exec("begin; select 1 from setting limit 1"); // the first look is what holds it
    this.#holding = true;
  }

  letGo(): void {
    if (!this.#holding) return;
    this.#holding = false;
    this.#db!.exec("commit");
  }

  /** True while something is held, for `query` to look at. */
  get holding(): boolean {
    return this.#holding;
  }

  readonly query = (sql: string, params: unknown[]): unknown[] => {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.#db!.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement.all(...(params as never[]));
  };

  close(): void {
    this.#db?.close();
  }
}
