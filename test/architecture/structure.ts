// What the structure of a module measures: its size, how its folders import one another, and its slivers.

import path from "node:path";
import { folderCircles } from "./circles.ts";
import { importsOf, type Source } from "./sources.ts";

/** The longest file that counts as a sliver. */
const SLIVER_LINES = 30;

export interface Structure {
  module: string;
  files: number;
  lines: number;
  /** The median of its files. */
  medianLines: number;
  folders: number;
  /** Pairs of folders of which one imports the other. */
  folderImports: number;
  /** Members of circles of folders. */
  inCircles: number;
  /** Files of at most 30 lines beside the only file that imports them, unless that one is generated. */
  slivers: string[];
}

/** `all` has the tests too; they count neither as files nor as importers. */
export function measureModule(root: string, all: readonly Source[]): Structure {
  const sources = all.filter(({ testing }) => !testing);
  const own = sources.filter(({ file }) => file.startsWith(`${root}/`) && isWritten(file));
  const lengths = own.map(({ lines }) => lines.length).sort((a, b) => a - b);
  return {
    module: root,
    files: own.length,
    lines: lengths.reduce((sum, length) => sum + length, 0),
    medianLines: lengths[Math.floor(lengths.length / 2)] ?? 0,
    folders: new Set(own.map(({ file }) => path.posix.dirname(file))).size,
    folderImports: countFolderImports(root, own),
    inCircles: folderCircles(root, all).flat().length,
    slivers: sliversOf(own, importersIn(sources)),
  };
}

const isWritten = (file: string) => !/\.generated\.tsx?$/.test(file);

function countFolderImports(root: string, own: readonly Source[]): number {
  const pairs = own.flatMap((source) =>
    importsOf(source)
      .filter(({ ours, target }) => ours && target.startsWith(`${root}/`))
      .map(({ target }) => [path.posix.dirname(source.file), path.posix.dirname(target)])
      .filter(([from, to]) => from !== to)
      .map((pair) => pair.join(" ")),
  );
  return new Set(pairs).size;
}

function importersIn(sources: readonly Source[]): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const { ours, target } of importsOf(source)) {
      if (ours) importers.set(target, (importers.get(target) ?? new Set()).add(source.file));
    }
  }
  return importers;
}

function sliversOf(own: readonly Source[], importers: Map<string, Set<string>>): string[] {
  return own
    .filter(({ file, lines }) => {
      const [importer, ...others] = importers.get(file) ?? [];
      if (lines.length > SLIVER_LINES || importer === undefined || others.length > 0) return false;
      return isWritten(importer) && path.posix.dirname(importer) === path.posix.dirname(file);
    })
    .map(({ file }) => file);
}
