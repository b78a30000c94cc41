// Preparation of statements.

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Row, rowBuilder } from "../row-builder.ts";

/** A prepared statement. Its rows are read as arrays: node:sqlite takes up to twice as long to make an object of a row. */
export interface Prepared {
  statement: StatementSync;
  all(params: unknown[]): Row[];
}

export function prepare(db: DatabaseSync, sql: string): Prepared {
  const statement = db.prepare(planOnce(sql));
  const names = statement.columns().map(({ name }) => name);
  statement.setReturnArrays(true);
  const toRow = rowBuilder(names);
  const all = (params: unknown[]) =>
    (statement.all(...(params as never[])) as unknown as unknown[][]).map(toRow);
  return { statement, all };
}

/**
 * A statement is planned when it is prepared. SQLite plans it anew at each run if a parameter alone is a limit or a
 * pattern, because its planner then looks at the value; that takes ten times as long as a short query. It does not
 * look into an expression.
 */
const planOnce = (sql: string): string =>
  sql.replace(/\blimit \?/g, "limit ? + 0").replace(/\blike \?/g, "like ? || ''");
