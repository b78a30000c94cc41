// Many queries in one write and one answer, which makes a round trip cheap. pg accepts queries of a custom
// class; this one stands for as many as wanted. The first query that fails ends the batch: the server skips the
// rest. docs/decisions/0016-postgres-pipelining.md compares it with pg's own pipeline.

import type pg from "pg";
import type { Query } from "../../statement.ts";
import { MessageWriter } from "./message-writer.ts";
import { translateSql } from "./translate-sql.ts";
import { type RowReader, rowReader, toWire } from "./values.ts";

/** The prepared statements of one connection. */
class PreparedStatements {
  readonly rowReaders = new Map<string, RowReader>();
  readonly #parsed = new Set<string>();
  /** Sent in this order, and not confirmed yet. */
  #parsing: string[] = [];

  constructor(connection: pg.Connection) {
    connection.on("parseComplete", () => {
      const name = this.#parsing.shift();
      if (name !== undefined) this.#parsed.add(name);
    });
  }

  /** Returns true if the statement must be sent. */
  add(name: string): boolean {
    if (this.#parsed.has(name) || this.#parsing.includes(name)) return false;
    this.#parsing.push(name);
    return true;
  }

  /** The batch is answered: the server skipped what it did not confirm. */
  settle(): void {
    this.#parsing = [];
  }
}

const preparedByConnection = new WeakMap<pg.Connection, PreparedStatements>();
const writer = new MessageWriter();

export class QueryBatch implements pg.Submittable {
  /** For each query, its rows or the number of rows it changed. */
  readonly results: Promise<unknown[]>;
  readonly #queries: Query[];
  readonly #answers: unknown[] = [];
  #rows: Record<string, unknown>[] = [];
  #prepared!: PreparedStatements;
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
    this.#prepared = preparedByConnection.get(connection) ?? new PreparedStatements(connection);
    preparedByConnection.set(connection, this.#prepared);
    writer.begin();
    for (const { sql, params } of this.#queries) {
      const { text, name } = translateSql(sql);
      if (this.#prepared.add(name)) writer.prepare(name, text);
      writer.run(name, params.map(toWire));
    }
    connection.stream.write(writer.end());
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#prepared.rowReaders.set(this.#currentName(), rowReader(fields));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#rows.push(this.#prepared.rowReaders.get(this.#currentName())!(fields));
  }

  /** `text` is the command tag: "INSERT 0 1", "UPDATE 3", "COMMIT". */
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

  /** The statement whose answer is coming in. */
  #currentName(): string {
    return translateSql(this.#queries[this.#answers.length]!.sql).name;
  }
}
