// Unit tests of pure code run many files to a process: most of what such a file costs is the start of its process.
//
// Files of a batch must not see each other's state. Three things keep that:
// 1. A file is batched only if nothing that it loads can hold state: no `let` and no empty Map, Set or list at the top
//    of a module, no timers, files, sockets, processes or environment, and no packages but those listed here.
//    Any other file has a process of its own, so state that is added to a module moves its tests out of the batch.
// 2. test/runner/batch-guard.ts compares the process before and after each test.
// 3. `node bin/test.mjs PATH...` and the runs on two replicas batch nothing.

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

/** Another run may be under way in this checkout. */
const FOLDER = path.join(ROOT, ".cache", "batches", `${process.pid}`);

/** Writes an entry file for each of `count` batches and returns their paths; the files take turns. */
export function writeBatches(files: string[], count: number): string[] {
  const batches = Array.from({ length: count }, (_, at) =>
    files.filter((_, n) => n % count === at),
  );
  mkdirSync(FOLDER, { recursive: true });
  process.on("exit", () => rmSync(FOLDER, { recursive: true, force: true }));
  return batches.map((batch, at) => {
    const imports = batch.map((file) => `await import("../../../${file}");\n`);
    const guard = 'import { guard } from "../../../test/runner/batch-guard.ts";\nguard();\n';
    const entry = path.join(FOLDER, `unit-${at + 1}.test.mjs`);
    writeFileSync(entry, guard + imports.join(""));
    return path.relative(ROOT, entry);
  });
}
