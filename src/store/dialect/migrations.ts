// The numbered migrations of a dialect. One that was released is frozen; the highest number is the
// schema that this version knows.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const FOLDER = path.join(import.meta.dirname, "..", "migrations");

/** The texts of `0001.<dialect>.sql` and so on, in order. */
export function migrationsOf(dialect: "sqlite" | "postgres"): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(`.${dialect}.sql`))
    .sort()
    .map((name) => readFileSync(path.join(FOLDER, name), "utf8"));
}

/** Data written by a newer Freehold than this one. */
export class NewerSchema extends Error {
  override readonly name = "NewerSchema";
  constructor(found: number, known: number) {
    super(
      `the data was written by a newer Freehold: its schema is ${found} and this version knows ${known}`,
    );
  }
}
