// Variables as text that a shell, or a reader of .env files, evaluates to exactly these values. For
// shells, every line ends in a semicolon and comments come last, so that an unquoted `eval
// $(freehold env)`, which joins the lines, still sets them all.

import { shellQuoted } from "../base/text/shell-quote.ts";

export interface Setting {
  name: string;
  value: string;
}

export const formats = ["sh", "fish", "dotenv", "json"] as const;
export type Format = (typeof formats)[number];

/** Formats the variables. JSON has no comments and gets none. */
export function shellLines(format: Format, settings: Setting[], comments: string[]): string {
  if (format === "json") {
    const pairs = settings.map(({ name, value }) => [name, value]);
    return `${JSON.stringify(Object.fromEntries(pairs), null, 2)}\n`;
  }
  const lines = settings.map(({ name, value }) => writers[format](name, value));
  return `${[...lines, ...comments.map((line) => `# ${line}`.trimEnd())].join("\n")}\n`;
}

const writers: Record<Exclude<Format, "json">, (name: string, value: string) => string> = {
  sh: (name, value) => `export ${name}=${shellQuoted(value)};`,
  fish: (name, value) => `set -gx ${name} '${value.replace(/[\\']/g, "\\$&")}';`,
  // Single quotes preserve everything but a single quote; a value that contains one is written
  // bare.
  dotenv: (name, value) => `${name}=${value.includes("'") ? value : `'${value}'`}`,
};
