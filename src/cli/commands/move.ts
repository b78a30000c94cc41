// `freehold move --to postgres://...`: moves the store from SQLite to PostgreSQL.

import { UsageError } from "../../base/refusal.ts";
import { bytesText } from "../../base/text/bytes-text.ts";
import { progressOn } from "../../base/text/progress-line.ts";
import { homeFor } from "../options.ts";
import { printJson, write } from "../output/answer.ts";
import { addStoreOptions } from "../program/common-options.ts";
import { addExamples, addNotes, defineCommand } from "../program/define-command.ts";
import type { StoreValues } from "../store-options.ts";
import { rowsText } from "../store-summary.ts";

export const { usage, run } = defineCommand("move", (program) => {
  addNotes(
    program,
    "Moves the store of the data folder into an empty PostgreSQL database, all or nothing. The service",
    "must be stopped.",
  );
  program.option("--to <url>", "the database (default: the one that FREEHOLD_DATABASE_URL names)");
  addStoreOptions(program).action(moveStore);
  addExamples(program, "freehold move --to postgres://user:password@host:5432/database");
});

async function moveStore(values: StoreValues & { to?: string }): Promise<void> {
  const config = homeFor(values);
  const url = values.to ?? config.databaseUrl;
  if (!url || !/^postgres(?:ql)?:/.test(url) || !URL.canParse(url)) {
    throw new UsageError("move takes --to postgres://user:password@host:5432/database");
  }
  const { move } = await import("../../installation/backup/move.ts");
  const moved = await move(config.dataFolder, url, progressOn(process.stderr));
  if (values.json) return printJson(moved);
  const rows = Object.entries(moved).map(([name, table]) => [name, table.rows] as const);
  const bytes = Object.values(moved).reduce((sum, table) => sum + table.bytes, 0);
  write(
    `${rowsText(Object.fromEntries(rows))}\n` +
      `Moved, and counted on both sides: ${bytesText(bytes)} of text. From now on, start with ` +
      "FREEHOLD_DATABASE_URL set to it,\non the same data folder, which holds the secret key. " +
      `The old store remains in ${config.dataFolder}/freehold.db.moved.\n`,
  );
}
