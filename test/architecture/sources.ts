// The source files as text, for the architecture tests. Biome keeps the layout uniform, so plain
// patterns over lines are enough to read imports and functions.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(import.meta.dirname, "..", "..");

export interface Source {
  /** From the root of the repository, with forward slashes: src/store/engine/group-commit.ts */
  file: string;
  /** Its folder below src/; `main` for a file in src/ itself. */
  room: string;
  /** Without comments; line numbers stay the same. */
  code: string;
  lines: string[];
  /** True for a test. */
  testing: boolean;
}

export interface Import {
  /** The imported file, from the root of the repository, or a package's name. */
  target: string;
  ours: boolean;
  typesOnly: boolean;
  /** True if it is loaded by import(). */
  later: boolean;
}

/** All .ts and .tsx files below some folders of the repository, in order. */
export function sources(...folders: string[]): Source[] {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes("node_modules"))
      .map((name) => `${folder}/${name.replaceAll(path.sep, "/")}`),
  );
  return files.sort().map((file) => sourceOf(file, readFileSync(path.join(ROOT, file), "utf8")));
}

export function sourceOf(file: string, text: string): Source {
  const [, second = "", ...deeper] = file.split("/");
  return {
    file,
    room: deeper.length === 0 ? "main" : second,
    code: withoutComments(text),
    lines: text.replace(/\n$/, "").split("\n"),
    testing: /\.test\.tsx?$/.test(file),
  };
}

const IMPORT = /(?:^|\n)(?:import|export)\s(type\s)?([^;"']*?)\sfrom\s"([^"]+)"/g;
const BARE = /(?:^|\n)import\s"([^"]+)"|\bimport\("([^"]+)"\)/g;

/** Everything a file imports, re-exports or loads by import(). */
export function importsOf({ file, code }: Source): Import[] {
  const found: Import[] = [];
  for (const [, type, names, target] of code.matchAll(IMPORT)) {
    found.push(asImport(file, target!, type !== undefined || onlyTypes(names!)));
  }
  for (const [, bare, dynamic] of code.matchAll(BARE)) {
    found.push({ ...asImport(file, (bare ?? dynamic)!, false), later: bare === undefined });
  }
  return found;
}

/** True for `{ type A, type B }`, which is the same as `type { A, B }`. */
function onlyTypes(names: string): boolean {
  const inner = /^\{([^}]*)\}$/.exec(names.trim())?.[1];
  const each = inner?.split(",").filter((name) => name.trim() !== "");
  return each?.every((name) => /^\s*type\s/.test(name)) ?? false;
}

function asImport(file: string, target: string, typesOnly: boolean): Import {
  const ours = target.startsWith(".");
  const where = ours ? path.posix.join(path.dirname(file), target) : target;
  return { ours, typesOnly, later: false, target: where };
}

function withoutComments(text: string): string {
  const blank = (comment: string) => comment.replace(/[^\n]/g, " ");
  return text.replace(/^\s*\/\*[\s\S]*?\*\//gm, blank).replace(/(^|\s)\/\/.*$/gm, blank);
}

export interface FunctionSpan {
  file: string;
  line: number;
  lines: number;
}

/** A line that opens a function, or a block inside one; object literals end otherwise. */
const OPENS_CODE = /(?:=>|\).*[^=:?&|]) \{$|\)\s\{$/;

/** Every function of a file with its length: a closing brace stands below its opening line. */
export function functionsOf({ file, lines }: Source): FunctionSpan[] {
  return lines.flatMap((line, at) => {
    if (!OPENS_CODE.test(line) || /^\s*(?:describe|suite)\(/.test(line)) return [];
    const closing = `${/^\s*/.exec(line)![0]}}`;
    const end = lines.findIndex((later, n) => n > at && later.startsWith(closing));
    return end === -1 ? [] : [{ file, line: at + 1, lines: end - at + 1 }];
  });
}
