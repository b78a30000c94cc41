// `freehold move --to postgres://...`: moves the store from SQLite to PostgreSQL.

import { parseArgs } from "node:util";
import { Refusal } from "../../base/refusal.ts";
import { bytesText } from "../../base/text/bytes-text.ts";
import { progressOn } from "../../base/text/progress-line.ts";
import { homeFor, readOptions } from "../options.ts";
import { storeOptions, storeUsage } from "../store-options.ts";
import { rowsText } from "../store-summary.ts";

export const usage = `  freehold move --to postgres://user:password@host:5432/database

Moves the store of the data folder into an empty PostgreSQL database, all or nothing. The service
must be stopped. Without --to, the database is the one that FREEHOLD_DATABASE_URL names.

${storeUsage}`;

export async function run(args: string[]): Promise<undefined> {
  const options = { ...storeOptions, to: { type: "string" } } as const;
  const { values } = readOptions("move", options, () => parseArgs({ args, options }));
  const config = homeFor(values);
  const url = values.to ?? config.databaseUrl;
  if (!url || !/^postgres(?:ql)?:/.test(url) || !URL.canParse(url)) {
    throw new Refusal("move takes --to postgres://user:password@host:5432/database");
  }
  const { move } = await import("../../app/backup/move.ts");
  const moved = await move(config.dataFolder, url, progressOn(process.stderr));
  if (values.json) {
    process.stdout.write(`${JSON.stringify(moved, null, 2)}\n`);
    return undefined;
  }
  const rows = Object.entries(moved).map(([name, table]) => [name, table.rows] as const);
  const bytes = Object.values(moved).reduce((sum, table) => sum + table.bytes, 0);
  process.stdout.write(
    `${rowsText(Object.fromEntries(rows))}\n` +
      `Moved, and counted on both sides: ${bytesText(bytes)} of text. From now on, start with ` +
      "FREEHOLD_DATABASE_URL set to it,\non the same data folder, which holds the secret key. " +
      `The old store remains in ${config.dataFolder}/freehold.db.moved.\n`,
  );
  return undefined;
}
