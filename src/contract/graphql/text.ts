// The text of the GraphQL schema, read from the .graphql files in this folder. Comments in them stand for rows of ../resource.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { podGraphqlLines } from "../resource/pod.ts";

export const schemaText: string = withRows(
  readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(".graphql"))
    .sort()
    .map((name) => readFileSync(path.join(import.meta.dirname, name), "utf8"))
    .join("\n"),
);

function withRows(text: string): string {
  return Object.entries(podGraphqlLines).reduce(
    (schema, [comment, lines]) => schema.replaceAll(comment, () => lines.join("\n  ")),
    text,
  );
}
