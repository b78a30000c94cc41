// What the commands that handle a whole store share.

import { Refusal } from "../base/refusal.ts";
import type { HomeConfig } from "../config/home-config.ts";

export interface StoreValues {
  data?: string;
  config?: string;
  json?: boolean;
}

/** PostgreSQL's own tools do this better. */
export function refuseOnPostgres({ databaseUrl }: HomeConfig, instead: string): void {
  if (!databaseUrl) return;
  throw new Refusal(
    `the data is in PostgreSQL (FREEHOLD_DATABASE_URL): use ${instead}, as docs/backup.md shows`,
  );
}
