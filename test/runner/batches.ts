// Test files that share a process: to load the service costs more than most files' tests.
//
// Unit tests of pure code must not see each other's state. Two things keep that:
// 1. A file is pure only if nothing that it loads can hold state: no `let` and no empty Map, Set or list at the top
//    of a module, no timers, files, sockets, processes or environment, and no packages but those listed here.
// 2. test/runner/batch-guard.ts compares the process before and after each test.
//
// Other files share a process with those of their folder, and folders of few files with each other. Each test starts what it
// needs, and what a module holds is shared as among the tests of one file. A file that changes the process itself has a
// process of its own.
//
// A file that is named on the command line has a process of its own.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { codeOf, reachOf } from "./graph.ts";
import { ROOT } from "./sets.ts";

const PURE_PACKAGES =
  /^(?:node:(?:test|assert(?:\/strict)?|crypto|util|path|url|buffer|querystring|zlib|stream|events)|fast-check|typebox(?:\/.*)?|croner|js-yaml)$/;

const STATE =
  /^(?:export )?let |^(?:export )?const \w+(?:: [^=]+)? = (?:new (?:Map|Set|WeakMap|WeakSet)(?:<[^(]*>)?\(\)|\[\]|\{\});|\bglobalThis\b|\bprocess\.(?:env|on|once|chdir|exit)\b|\bset(?:Timeout|Interval|Immediate)\(|\bmock\.|configureGlobal|^(?:before|after|beforeEach|afterEach)\(/m;

/** True if the tests of this file may share a process with others. */
export function isPure(file: string): boolean {
  const { files, packages } = reachOf(file);
  return (
    [...packages].every((name) => PURE_PACKAGES.test(name)) &&
    [...files].every((each) => !STATE.test(codeOf(each)))
  );
}

/** What changes the process for all files in it. */
const CHANGES_PROCESS =
  /\bprocess\.env(?:\.\w+|\[[^\]]+\]) = |\bdelete process\.env|\(process\.env,|\bprocess\.(?:chdir|umask)\(|^process\.on\(|\bglobalThis\.\w+ = |^(?:before|beforeEach|afterEach|after)\(|(?<!\.)\bmock\./m;

/** True if the file leaves the process as it was, so that others of its folder may share it. */
export const sharesProcess = (file: string): boolean => !CHANGES_PROCESS.test(codeOf(file));

/** Another run may be under way in this checkout. */
const FOLDER = path.join(ROOT, ".cache", "batches", `${process.pid}`);

const UNIT_PROCESSES = 2;
/** Longer ones would be alone at the end of a run. */
const MAX_BATCH_SECONDS = 240;
/** Folders that take less have no process of their own. */
const MIN_BATCH_SECONDS = 60;
/** For files that `longest.tsv` does not name: those that start a service, and unit tests. */
const USUAL_SECONDS = { service: 5, unit: 1 };

/** Replaces files that can share a process by the entry files of their batches; the longest batch is first. */
export function batched(files: string[], seconds: Map<string, number>): string[] {
  process.on("exit", () => rmSync(FOLDER, { recursive: true, force: true }));
  const usual = (file: string) => USUAL_SECONDS[file.startsWith("src/") ? "unit" : "service"];
  const lengthOf = (file: string) => seconds.get(file) ?? usual(file);
  const sumOf = (list: string[]) => list.reduce((total, file) => total + lengthOf(file), 0);
  const [pure, others] = partition(files, isPure);
  const units = takeTurns(pure, UNIT_PROCESSES);
  const folders = Map.groupBy(others.filter(sharesProcess), folderOf);
  const [small, large] = partition([...folders], ([, list]) => sumOf(list) < MIN_BATCH_SECONDS);
  const entries = large.flatMap(([folder, list]) => {
    const batches = takeTurns(list, Math.ceil(sumOf(list) / MAX_BATCH_SECONDS));
    return batches.map((batch, at) => ({ name: `${folder}/${at + 1}`, files: batch }));
  });
  const several: string[][] = [];
  for (const [, list] of small) {
    const last = several.at(-1);
    if (last && sumOf([...last, ...list]) <= MAX_BATCH_SECONDS) last.push(...list);
    else several.push([...list]);
  }
  entries.push(...several.map((list, at) => ({ name: `several/${at + 1}`, files: list })));
  const shared = new Set(entries.flatMap((entry) => entry.files));
  const single = others.filter((file) => !shared.has(file));
  const runs = [
    ...entries.map(({ name, files: list }) => ({
      file: writeBatch(name, list, false),
      seconds: sumOf(list),
    })),
    ...single.map((file) => ({ file, seconds: seconds.get(file) ?? 0 })),
  ];
  return [
    ...units.map((batch, at) => writeBatch(`src/${at + 1}`, batch, true)),
    ...runs.toSorted((a, b) => b.seconds - a.seconds).map(({ file }) => file),
  ];
}

/** Two names deep: folders of few files share a process too. */
const folderOf = (file: string) => path.posix.dirname(file).split("/").slice(0, 2).join("/");

const takeTurns = (files: string[], count: number) =>
  Array.from({ length: count }, (_, at) => files.filter((_, n) => n % count === at)).filter(
    (batch) => batch.length > 0,
  );

function partition<Item>(items: Item[], is: (item: Item) => boolean): [yes: Item[], no: Item[]] {
  const groups = Map.groupBy(items, is);
  return [groups.get(true) ?? [], groups.get(false) ?? []];
}

/** Writes the entry file of a batch and returns its path. */
function writeBatch(name: string, files: string[], isGuarded: boolean): string {
  const entry = path.join(FOLDER, `${name}.test.mjs`);
  const at = (file: string) =>
    JSON.stringify(
      path.relative(path.dirname(entry), path.join(ROOT, file)).replaceAll(path.sep, "/"),
    );
  const modules = isGuarded ? ["test/runner/batch-guard.ts", ...files] : files;
  // Not `await import()`: the runner takes a file for complete if nothing is under way between two of them.
  const lines = modules.map((module) => `import ${at(module)};`);
  mkdirSync(path.dirname(entry), { recursive: true });
  writeFileSync(entry, `${lines.join("\n")}\n`);
  return path.relative(ROOT, entry).replaceAll(path.sep, "/");
}
