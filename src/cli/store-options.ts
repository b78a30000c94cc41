// Options shared by the commands that handle a whole store.

import path from "node:path";
import type { HomeConfig } from "../app/config/home-config.ts";
import { Refusal, UsageError } from "../base/refusal.ts";

export const storeOptions = {
  data: { type: "string" },
  config: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

export const storeUsage = `  --data FOLDER     the data folder (default: ./.freehold)
  --config FILE     the settings' file (default: ./freehold.json)
  --json            what was copied, as JSON
`;

/** The file argument of a command. */
export function oneFile(command: string, positionals: string[]): string {
  const [file, ...more] = positionals;
  if (!file || more.length > 0) throw new UsageError(`${command} takes one file`);
  return path.resolve(file);
}

/** PostgreSQL's own tools do this better. */
export function refuseOnPostgres({ databaseUrl }: HomeConfig, instead: string): void {
  if (!databaseUrl) return;
  throw new Refusal(
    `the data is in PostgreSQL (FREEHOLD_DATABASE_URL): use ${instead}, as docs/backup.md shows`,
  );
}
