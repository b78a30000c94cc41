// The library freehold-worker for an image. It comes from this program, because a build finds it in no registry.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

/** Its place in a build context; Node finds it there, beside what npm installs. */
export const LIBRARY_FOLDER = "node_modules/freehold-worker";

/** The folder that has the library's modules and everything that they import. */
const ROOT = path.join(import.meta.dirname, "..", "..", "..");
const ENTRY = path.join("src", "serve", `serve${path.extname(import.meta.filename)}`);

const IMPORTED = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** Node refuses types in node_modules. It warns of its function that removes them. */
const WITHOUT_TYPES = `
const { stripTypeScriptTypes } = require("node:module");
const texts = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(texts.map((text) => stripTypeScriptTypes(text))));
`;

/** The text of each file of the package, by its path below the package's folder. */
export function workerLibrary(): Map<string, string> {
  const modules = new Map<string, string>();
  readModule(ENTRY, modules);
  const names = [...modules.keys()];
  const texts = ENTRY.endsWith(".ts") ? withoutTypes([...modules.values()]) : [...modules.values()];
  const exports = `./${javaScriptName(ENTRY)}`;
  const manifest = { name: "freehold-worker", type: "module", exports };
  return new Map([
    ["package.json", `${JSON.stringify(manifest, null, 2)}\n`],
    ...names.map((name, index): [string, string] => [javaScriptName(name), texts[index]!]),
  ]);
}

function readModule(name: string, modules: Map<string, string>): void {
  if (modules.has(name)) return;
  const text = readFileSync(path.join(ROOT, name), "utf8");
  modules.set(name, text);
  for (const [, imported] of text.matchAll(IMPORTED)) {
    readModule(path.join(path.dirname(name), imported!), modules);
  }
}

function withoutTypes(texts: string[]): string[] {
  const flags = ["--disable-warning=ExperimentalWarning", "-e", WITHOUT_TYPES];
  const input = JSON.stringify(texts);
  const { status, stdout, stderr } = spawnSync(process.execPath, flags, {
    input,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  const stripped: string[] = JSON.parse(stdout);
  return stripped.map((text) =>
    text.replace(IMPORTED, (statement, imported) =>
      statement.replace(imported, javaScriptName(imported)),
    ),
  );
}

const javaScriptName = (name: string) => name.replaceAll(path.sep, "/").replace(/\.ts$/, ".js");
