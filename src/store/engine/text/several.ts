// Statements that PostgreSQL runs once for several calls. There, the start of a statement costs as much as its row: it
// prepares every index of the table. The calls that share a round trip then travel as arrays, one for each parameter.
// SQLite has no such cost, and runs each call's own statement.

export type ParamType = "text" | "bigint";

export interface SeveralCalls {
  /**
   * Takes an array for each parameter, then the shared parameters themselves. An insert adds a row for each call; any
   * other statement returns with each row the number of its call, from 1, as `nth`.
   */
  sql: string;
  isInsert: boolean;
  types: ParamType[];
  /** The parameters, from 0, that must be equal for calls to run together. */
  shared: number[];
}

const known = new Map<string, SeveralCalls>();

/** How several calls of the statement run at once; undefined where each runs alone. */
export function severalOf(sql: string): SeveralCalls | undefined {
  return known.get(sql);
}

/** Declares an insert or update of one row, whose conditions no other call of the same batch changes. */
export function severalAtOnce(sql: string, types: ParamType[]): string {
  let n = 0;
  const byCall = sql.replace(/\?/g, () => `calls.p${++n}`);
  if (n !== types.length) throw new Error(`${n} parameters, but ${types.length} types: ${sql}`);
  const isInsert = /^\s*insert\b/.test(sql);
  const several = isInsert
    ? byCall.replace(/\bvalues \(([^()]*)\)/, `select $1 from ${callRows(types)}`)
    : updateOf(byCall, types);
  known.set(sql, { sql: several, isInsert, types, shared: [] });
  return sql;
}

/** Declares any statement, with the text for several calls. */
export function severalAs(sql: string, several: SeveralCalls): string {
  known.set(sql, several);
  return sql;
}

/** The calls as rows: columns `p1`, `p2`, ... and their number `nth`. The parameters are arrays of the types. */
export function callRows(types: ParamType[]): string {
  const arrays = types.map((type) => `cast(? as ${type}[])`);
  const columns = types.map((_, n) => `p${n + 1}`);
  return `unnest(${arrays.join(", ")}) with ordinality as calls (${columns.join(", ")}, nth)`;
}

function updateOf(byCall: string, types: ParamType[]): string {
  const [change, condition] = byCall.split(/\bwhere\b/, 2);
  const [where, columns] = condition!.split(/\breturning\b/, 2);
  const returned = columns ? `${columns}, nth` : "nth";
  return `${change} from ${callRows(types)} where ${where} returning ${returned}`;
}
