// Fills an empty database with what another store holds: in one transaction, every table counted on
// both sides before it counts.

import pg from "pg";
import type { Value } from "../../statement.ts";
import type { Source, SourceTable } from "../sqlite/rows.ts";
import { copyIn } from "./copy-in.ts";
import { migrate } from "./migrate.ts";
import { Sums } from "./sums.ts";
import { toStored } from "./text.ts";

/** A sentence about why nothing was moved. */
export class NotMoved extends Error {
  override readonly name = "NotMoved";
}

/** The answer to the commit was lost. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}

export type Moved = Record<string, { rows: number; bytes: number }>;

/** It may take as long as it takes, but waits for nobody. */
const BEGIN = `begin;
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local lock_timeout = 10000;
  set local jit = off`;

/** All or nothing. `seen` is called now and then with how far a table is. */
export async function moveIn(
  url: string,
  source: Source,
  seen: (table: SourceTable, rows: number) => void,
): Promise<Moved> {
  await migrate(url);
  const client = new pg.Client({ connectionString: url, keepAlive: true });
  client.on("error", () => {}); // whoever awaits a query of it is told
  await client.connect();
  try {
    await client.query(BEGIN);
    await takeEmpty(client, source.tables);
    const moved: Moved = {};
    for (const table of source.tables) {
      moved[table.name] = await moveTable(client, table, seen);
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
    // Whatever was not committed goes with the connection.
    await client.end().catch(() => {});
  }
}

/** Nobody can use the tables from here on. Rows go faster into tables of one's own transaction. */
async function takeEmpty(client: pg.Client, tables: SourceTable[]): Promise<void> {
  const names = tables.map(({ name }) => `"${name}"`).join(", ");
  await checkEmpty(client, tables); // before anybody who uses them must wait for us
  await client.query(`lock table ${names} in access exclusive mode`);
  await checkEmpty(client, tables);
  await client.query(`truncate ${names}`);
}

/** Rows that a database is born with: migrations write them, and they say that nothing happened. */
const INBORN: Record<string, string> = { price_book: "where seq <> 0" };

async function checkEmpty(client: pg.Client, tables: SourceTable[]): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await client.query(`select 1 from "${name}" ${INBORN[name] ?? ""} limit 1`);
    if (rows.length > 0) {
      throw new NotMoved(`that database holds data already: the table ${name} is not empty`);
    }
  }
}

async function moveTable(
  client: pg.Client,
  table: SourceTable,
  seen: (table: SourceTable, rows: number) => void,
): Promise<Moved[string]> {
  const columns = table.columns.map((name) => `"${name}"`).join(", ");
  const sums = new Sums();
  function* lines() {
    for (const row of table.read()) {
      sums.add(row);
      if (sums.rows % 10_000 === 0) seen(table, sums.rows);
      yield line(row);
    }
  }
  await copyIn(client, `copy "${table.name}" (${columns}) from stdin with (freeze)`, lines());
  const found = await Sums.found(client, table);
  const read = sums.toString();
  if (sums.rows !== table.rows || read !== found) {
    throw new NotMoved(`${table.name} did not arrive whole: ${read} were read, ${found} are there`);
  }
  return { rows: sums.rows, bytes: sums.bytes };
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
