// The move of another store's rows into an empty database, in one transaction. Every table is totaled on both
// sides before the commit.

import pg from "pg";
import type { Source, SourceTable } from "../../sqlite/source.ts";
import type { Value } from "../../statement.ts";
import { migrate } from "../migrate.ts";
import { toStored } from "../wire/text.ts";
import { copyIn } from "./copy-in.ts";
import { TableTotals } from "./table-totals.ts";

/** Why nothing was moved, as one sentence. */
export class NotMoved extends Error {
  override readonly name = "NotMoved";
}

/** The answer to the commit was lost, so the outcome is unknown. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}

export type Moved = Record<string, { rows: number; bytes: number }>;

/** The transaction has no limits of time, except for the wait for a lock. */
const BEGIN = `begin;
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local lock_timeout = 10000;
  set local jit = off`;

/** Moves everything or nothing. Calls `progress` now and then with the number of rows moved of a table. */
export async function moveIn(
  url: string,
  source: Source,
  progress: (table: SourceTable, rows: number) => void,
): Promise<Moved> {
  await migrate(url);
  const client = new pg.Client({ connectionString: url, keepAlive: true });
  client.on("error", () => {}); // the query under way throws it
  await client.connect();
  try {
    await client.query(BEGIN);
    await lockEmptyTables(client, source.tables);
    const moved: Moved = {};
    for (const table of source.tables) {
      moved[table.name] = await moveTable(client, table, progress);
    }
    if (source.lastJob > 0) {
      await client.query(`select setval(pg_get_serial_sequence('job', 'seq'), ${source.lastJob})`);
    }
    await client.query("analyze");
    await client.query("commit").catch((error: Error) => {
      throw new OutcomeUnknown(error.message);
    });
    return moved;
  } finally {
    // The server rolls back what was not committed.
    await client.end().catch(() => {});
  }
}

/** Locks and truncates the tables: COPY with FREEZE needs tables that its own transaction truncated. */
async function lockEmptyTables(client: pg.Client, tables: SourceTable[]): Promise<void> {
  const names = tables.map(({ name }) => `"${name}"`).join(", ");
  await checkEmpty(client, tables); // before the lock makes others wait
  await client.query(`lock table ${names} in access exclusive mode`);
  await checkEmpty(client, tables);
  await client.query(`truncate ${names}`);
}

/** Conditions that leave out the rows that migrations insert. */
const CONDITIONS: Record<string, string> = {
  price_book: "where seq <> 0 or slice_types <> '[]'",
};

async function checkEmpty(client: pg.Client, tables: SourceTable[]): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await client.query(
      `select 1 from "${name}" ${CONDITIONS[name] ?? ""} limit 1`,
    );
    if (rows.length > 0) {
      throw new NotMoved(`that database holds data already: the table ${name} is not empty`);
    }
  }
}

async function moveTable(
  client: pg.Client,
  table: SourceTable,
  progress: (table: SourceTable, rows: number) => void,
): Promise<Moved[string]> {
  const columns = table.columns.map((name) => `"${name}"`).join(", ");
  const totals = new TableTotals();
  function* lines() {
    for (const row of table.read()) {
      totals.add(row);
      if (totals.rows % 10_000 === 0) progress(table, totals.rows);
      yield line(row);
    }
  }
  await copyIn(client, `copy "${table.name}" (${columns}) from stdin with (freeze)`, lines());
  const found = await TableTotals.query(client, table);
  const read = totals.toString();
  if (totals.rows !== table.rows || read !== found) {
    throw new NotMoved(`${table.name} is incomplete: ${read} were read, ${found} were written`);
  }
  return { rows: totals.rows, bytes: totals.bytes };
}

/** A row in PostgreSQL's text format. */
function line(row: Value[]): string {
  let text = field(row[0]!);
  for (let n = 1; n < row.length; n++) text += `\t${field(row[n]!)}`;
  return `${text}\n`;
}

const ESCAPED = /[\\\n\r\t]/;
const ESCAPES: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function field(value: Value): string {
  if (value === null) return "\\N";
  if (typeof value === "string") {
    const text = toStored(value);
    if (!ESCAPED.test(text)) return text;
    return text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character]!);
  }
  if (typeof value === "object") {
    return `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}`;
  }
  return String(value);
}
