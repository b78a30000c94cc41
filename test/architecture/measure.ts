// npm run measure: the structure of every module as a table in Markdown, and the names of its slivers.

import { readdirSync } from "node:fs";
import path from "node:path";
import { sources } from "./sources.ts";
import { measureModule, type Structure } from "./structure.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");

const modules = readdirSync(path.join(ROOT, "src"), { withFileTypes: true })
  .filter((each) => each.isDirectory())
  .map(({ name }) => `src/${name}`);
const all = sources("src", "console/src");
const measured = [...modules, "console/src"].map((module) => measureModule(module, all));

const columns: [title: string, cell: (structure: Structure) => number][] = [
  ["files", ({ files }) => files],
  ["lines", ({ lines }) => lines],
  ["median lines of a file", ({ medianLines }) => medianLines],
  ["folders", ({ folders }) => folders],
  ["folder imports", ({ folderImports }) => folderImports],
  ["in folder circles", ({ inCircles }) => inCircles],
  ["slivers", ({ slivers }) => slivers.length],
];

const tableRow = (cells: (string | number)[]) => `| ${cells.join(" | ")} |\n`;

process.stdout.write(
  [
    tableRow(["module", ...columns.map(([title]) => title)]),
    tableRow(["---", ...columns.map(() => "---:")]),
    ...measured.map((each) => tableRow([each.module, ...columns.map(([, cell]) => cell(each))])),
    "\nSlivers, files of at most 30 lines beside the only file that imports them:\n\n",
    ...measured.flatMap(({ slivers }) => slivers.map((file) => `- ${file}\n`)),
  ].join(""),
);
