// Which functions of the store write, and which files import them. A function writes if its text has SQL
// that changes rows, or uses another function of its file that does.

import path from "node:path";
import type { Source } from "./sources.ts";

const WRITES = /\bchange\(|\baccumulate\(|\binsert into\b|\bdelete from\b|\bupdate [a-z_]+\s+set\b/;

const DECLARATION = /^(?:export )?(?:function\*? |const |class )(\w+)/;

/** The names of a table's file that write, exported or not. */
export function writersOf({ code }: Pick<Source, "code">): Set<string> {
  const parts = code.split(/^(?=(?:export )?(?:function\*? |const |class ))/m);
  const texts = new Map<string, string>();
  for (const part of parts) {
    const name = DECLARATION.exec(part)?.[1];
    if (name) texts.set(name, part);
  }
  const writers = new Set([...texts].filter(([, text]) => WRITES.test(text)).map(([name]) => name));
  for (let before = -1; before < writers.size; ) {
    before = writers.size;
    for (const [name, text] of texts) {
      if ([...writers].some((writer) => new RegExp(`\\b${writer}\\b`).test(text)))
        writers.add(name);
    }
  }
  return writers;
}

const IMPORT =
  /(?:^|\n)(?:import|export)\s+(?!type\b)(?:\{([^}]*)\}|\*\s+as\s+\w+|\*)\s+from\s+"(\.[^"]+)"/g;

/** The writing functions of tables that a file imports; `*` for an import of a whole file. */
export function importedWrites(
  { file, code }: Pick<Source, "file" | "code">,
  tables: Map<string, Source>,
): string[] {
  return [...code.matchAll(IMPORT)].flatMap(([, names, target]) => {
    const table = tables.get(path.posix.join(path.dirname(file), target!));
    if (!table) return [];
    const writers = writersOf(table);
    if (names === undefined) return writers.size > 0 ? ["*"] : [];
    const imported = names.split(",").map((name) => name.trim().split(/\s+as\s+/)[0]!);
    return imported.filter((name) => writers.has(name));
  });
}
