// A syntax check of saved files. A file that does not parse is not released, so the running worker
// continues.

import { spawnSync } from "node:child_process";
import path from "node:path";

/** Compiles without writing a file beside the source. */
const PYTHON = `
import sys, traceback
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        source = file.read()
    try:
        compile(source, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        traceback.print_exc(limit=0)
        sys.exit(1)
`;

const TYPESCRIPT = `
const { stripTypeScriptTypes } = require("node:module");
const { readFileSync } = require("node:fs");
const [file] = process.argv.slice(1);
stripTypeScriptTypes(readFileSync(file, "utf8"), { sourceUrl: file });
`;

/** Returns the error of the first invalid file, or null. Files in unknown languages are skipped. */
export function syntaxError(files: string[], python: string): string | null {
  for (const file of files) {
    const [program, ...args] = checkFor(file, python) ?? [];
    if (!program) continue;
    const { status, stderr } = spawnSync(program, args, { encoding: "utf8", timeout: 10_000 });
    if (status === 1 && stderr) return withoutStack(stderr);
  }
  return null;
}

function checkFor(file: string, python: string): string[] | null {
  switch (path.extname(file)) {
    case ".py":
      return [python, "-c", PYTHON, file];
    case ".js":
    case ".mjs":
    case ".cjs":
      return [process.execPath, "--check", file];
    case ".ts":
    case ".mts":
    case ".cts":
      return [process.execPath, "--disable-warning=ExperimentalWarning", "-e", TYPESCRIPT, file];
    default:
      return null;
  }
}

/** Keeps the place and the message, without the checker's own call stack. */
function withoutStack(text: string): string {
  const lines = text.trim().split("\n");
  const end = lines.findIndex((line) => /^ {4}at /.test(line));
  return lines.slice(0, end === -1 ? undefined : end).join("\n");
}
