// What the commands that handle a whole store have in common on the command line.

import path from "node:path";
import type { HomeConfig } from "../home-config.ts";
import { Refusal } from "../refusal.ts";

export const storeOptions = {
  data: { type: "string" },
  config: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

export const storeUsage = `  --data FOLDER     the data folder, ./.freehold
  --config FILE     the settings' file, ./freehold.json
  --json            what was copied, as JSON
`;

/** The one file that a command takes. */
export function oneFile(command: string, positionals: string[]): string {
  const [file, ...more] = positionals;
  if (!file || more.length > 0) throw new Refusal(`${command} takes one file`);
  return path.resolve(file);
}

/** PostgreSQL has programs of its own for that, which know it better. */
export function refuseOnPostgres({ databaseUrl }: HomeConfig, instead: string): void {
  if (!databaseUrl) return;
  throw new Refusal(
    `the data is in PostgreSQL (FREEHOLD_DATABASE_URL): use ${instead}, as docs/backup.md shows`,
  );
}
