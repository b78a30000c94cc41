// The text of the GraphQL schema, read from the .graphql files in this folder.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const schemaText: string = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".graphql"))
  .sort()
  .map((name) => readFileSync(path.join(import.meta.dirname, name), "utf8"))
  .join("\n");
