// Circles among the folders of a module. Within each folder, its subfolders and its own files import one
// another in layers; a circle that has a folder in it ties together what should be read apart.

import { importsOf, type Source } from "./sources.ts";

/** Folders and files, below the same folder, that reach one another by imports, types included. */
export type Circle = string[];

/** `root` is the folder of the module: "src/domain". */
export function folderCircles(root: string, all: readonly Source[]): Circle[] {
  const files = all.filter(({ file, testing }) => !testing && file.startsWith(`${root}/`));
  const folders = new Set([root]);
  for (const { file } of files) for (const each of foldersAbove(file, root)) folders.add(each);
  const imports = files.flatMap((source) =>
    importsOf(source)
      .filter(({ ours, target }) => ours && target.startsWith(`${root}/`))
      .map(({ target }) => ({ from: source.file, to: target })),
  );
  return [...folders].sort().flatMap((folder) => circlesIn(folder, imports));
}

export interface FolderImport {
  from: string;
  to: string;
}

function circlesIn(folder: string, imports: readonly FolderImport[]): Circle[] {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [importer, imported] = [childOf(folder, from), childOf(folder, to)];
    if (importer === null || imported === null || importer === imported) continue;
    edges.set(importer, (edges.get(importer) ?? new Set()).add(imported));
  }
  const reach = new Map([...edges.keys()].map((child) => [child, reachable(edges, child)]));
  const circles = new Map<string, Circle>();
  for (const [child, others] of reach) {
    if (!others.has(child)) continue;
    const circle = [...others].filter((other) => reach.get(other)?.has(child)).sort();
    if (circle.some((each) => !/\.tsx?$/.test(each))) circles.set(circle.join(" "), circle);
  }
  return [...circles.values()];
}

function reachable(edges: Map<string, Set<string>>, start: string): Set<string> {
  const reached = new Set<string>();
  const queue = [start];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const each of edges.get(next) ?? []) {
      if (reached.has(each)) continue;
      reached.add(each);
      queue.push(each);
    }
  }
  return reached;
}

/** The subfolder or the file of `folder` that a file is in; null for a file elsewhere. */
function childOf(folder: string, file: string): string | null {
  if (!file.startsWith(`${folder}/`)) return null;
  const [first] = file.slice(folder.length + 1).split("/");
  return `${folder}/${first}`;
}

function foldersAbove(file: string, root: string): string[] {
  const parts = file.slice(root.length + 1).split("/");
  return parts.slice(0, -1).map((_, index) => `${root}/${parts.slice(0, index + 1).join("/")}`);
}
