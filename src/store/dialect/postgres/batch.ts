// Many statements in one write and one answer, which is what makes a turn cheap: the client library
// lets its users write queries of their own kind, and this one is as many as wanted. The first that
// fails ends the batch; the server skips the rest.

import type pg from "pg";
import type { Query } from "../../statement.ts";
import { Outgoing } from "./outgoing.ts";
import { translate } from "./translate.ts";
import { type Column, columnOf, rowOf, toWire } from "./values.ts";

/** What is prepared on one connection. */
class Prepared {
  readonly columns = new Map<string, Column[]>();
  readonly #parsed = new Set<string>();
  /** Sent, and not confirmed yet, in this order. */
  #parsing: string[] = [];

  constructor(connection: pg.Connection) {
    connection.on("parseComplete", () => {
      const name = this.#parsing.shift();
      if (name !== undefined) this.#parsed.add(name);
    });
  }

  /** True where it must be sent. */
  lacks(name: string): boolean {
    if (this.#parsed.has(name) || this.#parsing.includes(name)) return false;
    this.#parsing.push(name);
    return true;
  }

  /** The batch is answered: what was not confirmed by now was skipped. */
  settle(): void {
    this.#parsing = [];
  }
}

const prepared = new WeakMap<pg.Connection, Prepared>();
const outgoing = new Outgoing();

export class Batch implements pg.Submittable {
  /** For each query its rows, or the number of rows it changed. */
  readonly results: Promise<unknown[]>;
  readonly #queries: Query[];
  readonly #answers: unknown[] = [];
  #rows: Record<string, unknown>[] = [];
  #prepared!: Prepared;
  #resolve!: (results: unknown[]) => void;
  #reject!: (error: Error) => void;

  constructor(queries: Query[]) {
    this.#queries = queries;
    this.results = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    this.#prepared = prepared.get(connection) ?? new Prepared(connection);
    prepared.set(connection, this.#prepared);
    outgoing.begin();
    for (const { sql, params } of this.#queries) {
      const { text, name } = translate(sql);
      if (this.#prepared.lacks(name)) outgoing.prepare(name, text);
      outgoing.run(name, params.map(toWire));
    }
    connection.stream.write(outgoing.end());
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => columnOf(name, dataTypeID));
    this.#prepared.columns.set(this.#name(), columns);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#rows.push(rowOf(this.#prepared.columns.get(this.#name())!, fields));
  }

  /** `text` is such as "INSERT 0 1", "UPDATE 3" or "COMMIT". */
  handleCommandComplete({ text }: { text: string }): void {
    const { rows } = this.#queries[this.#answers.length]!;
    this.#answers.push(rows ? this.#rows : Number(/\d+$/.exec(text)?.[0] ?? 0));
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    this.#prepared.settle();
    this.#resolve(this.#answers);
  }

  handleError(error: Error): void {
    this.#prepared?.settle();
    this.#reject(error);
  }

  /** The statement that is being answered. */
  #name(): string {
    return translate(this.#queries[this.#answers.length]!.sql).name;
  }
}
