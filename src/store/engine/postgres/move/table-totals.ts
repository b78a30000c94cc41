// Totals of a table's rows: their number, the bytes of all texts, and the sum of all numbers. They are computed
// while the rows are read, and by PostgreSQL once they are written.

import type pg from "pg";
import type { SourceTable } from "../../sqlite/source.ts";
import type { Value } from "../../statement.ts";
import { toStored } from "../wire/text.ts";

export class TableTotals {
  rows = 0;
  bytes = 0;
  #numbers = 0n;

  add(row: Value[]): void {
    this.rows++;
    for (const value of row) {
      if (value === null) continue;
      if (typeof value === "string") this.bytes += Buffer.byteLength(toStored(value));
      else if (typeof value === "object") this.bytes += value.byteLength;
      else this.#numbers += BigInt(value);
    }
  }

  toString(): string {
    return sentence(this.rows, this.bytes, this.#numbers);
  }

  /** The totals of the table in the database. */
  static async query(client: pg.Client, { name, columns }: SourceTable): Promise<string> {
    const types = await typesOf(client, name);
    const sum = (matches: (type: string) => boolean, each: (column: string) => string) => {
      const matching = columns.filter((column) => matches(types.get(column) ?? ""));
      return matching.map((column) => `coalesce(${each(`"${column}"`)}, 0)`).join(" + ") || "0";
    };
    const bytes = sum(
      (type) => type !== "bigint",
      (column) => `octet_length(${column})`,
    );
    const numbers = sum(
      (type) => type === "bigint",
      (column) => `cast(${column} as numeric)`,
    );
    const { rows } = await client.query(
      `select count(*) as rows, coalesce(sum(cast(${bytes} as bigint)), 0) as bytes,
         coalesce(sum(${numbers}), 0) as numbers from "${name}"`,
    );
    return sentence(rows[0].rows, rows[0].bytes, rows[0].numbers);
  }
}

function sentence(rows: unknown, bytes: unknown, numbers: unknown): string {
  return `${rows} rows with ${bytes} bytes and numbers that add up to ${numbers}`;
}

async function typesOf(client: pg.Client, table: string): Promise<Map<string, string>> {
  const { rows } = await client.query(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = current_schema() and table_name = $1`,
    [table],
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}
