// What a file imports, directly and through others. Read from the text, with the reader of the architecture tests.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { importsOf, type Source, sourceOf } from "../architecture/sources.ts";
import { ROOT } from "./sets.ts";

export interface Reach {
  /** The file and every file of the repository that it loads. */
  files: Set<string>;
  /** Packages and modules of Node. */
  packages: Set<string>;
}

interface Node {
  source: Source;
  files: string[];
  packages: string[];
}

const nodes = new Map<string, Node | null>();

/** Null if there is no such file. */
function nodeOf(file: string): Node | null {
  const cached = nodes.get(file);
  if (cached !== undefined) return cached;
  const where = path.join(ROOT, file);
  let node: Node | null = null;
  if (/\.[cm]?[jt]sx?$/.test(file) && existsSync(where)) {
    const source = sourceOf(file, readFileSync(where, "utf8"));
    const loaded = importsOf(source).filter(({ typesOnly }) => !typesOnly);
    node = {
      source,
      files: loaded.filter(({ ours }) => ours).map(({ target }) => target),
      packages: loaded.filter(({ ours }) => !ours).map(({ target }) => target),
    };
  }
  nodes.set(file, node);
  return node;
}

/** Without comments; empty if there is no such file. */
export const codeOf = (file: string): string => nodeOf(file)?.source.code ?? "";

/** Everything that loading a file loads; `enter` says which imports to follow. */
export function reachOf(start: string, enter: (file: string) => boolean = () => true): Reach {
  const files = new Set([start]);
  const packages = new Set<string>();
  for (const file of files) {
    const node = nodeOf(file);
    for (const target of node?.files ?? []) if (enter(target)) files.add(target);
    for (const name of node?.packages ?? []) packages.add(name);
  }
  return { files, packages };
}
