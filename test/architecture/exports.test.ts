// Every exported value of the product is imported by another file. One that only its own file uses is
// not exported, and one that nothing uses is deleted. Types may be exported for their readers.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { type Source, sourceOf, sources } from "./sources.ts";

/** Files whose exports are used from outside: the worker library, and the command's launcher. */
const PUBLISHED = new Set(["src/serve/serve.ts", "src/main.ts"]);

const EXPORT = /^export (?:declare |abstract |async )*(?:const|let|function\*?|class) (\w+)/gm;
const NAMED = /(?:import|export)\s(?:type\s)?(?:\w+,\s*)?\{([^}]*)\}\sfrom\s"(\.[^"]+)"/g;
/** Imports of a whole file, which may use any of its exports. */
const WHOLE = /\*\sas\s\w+\sfrom\s"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g;

const all = sources("src", "test", "sim", "bench", "examples");

test("every export is imported somewhere", () => {
  assert.deepEqual(unused(all), []);
});

test("an unused export is detected", () => {
  const a = sourceOf("src/base/a.ts", "export const used = 1;\nexport const unused = 2;\n");
  const b = sourceOf("src/base/b.ts", 'import { type X, used as it } from "./a.ts";\n');
  assert.deepEqual(unused([a, b]), ["src/base/a.ts: unused"]);
});

function unused(files: Source[]): string[] {
  const used = new Set<string>();
  const whole = new Set<string>();
  for (const { file, code } of files) {
    const resolve = (name: string) => path.posix.join(path.posix.dirname(file), name);
    for (const [, names, target] of code.matchAll(NAMED))
      for (const name of names!.split(","))
        used.add(
          `${resolve(target!)}: ${
            name
              .replace(/^\s*type\s/, "")
              .trim()
              .split(/\s/)[0]
          }`,
        );
    for (const [, star, later] of code.matchAll(WHOLE)) whole.add(resolve((star ?? later)!));
  }
  return files
    .filter(({ file, testing }) => !testing && !PUBLISHED.has(file) && !whole.has(file))
    .filter(({ file }) => file.startsWith("src/") && !file.endsWith(".generated.ts"))
    .flatMap(({ file, code }) => [...code.matchAll(EXPORT)].map(([, name]) => `${file}: ${name}`))
    .filter((name) => !used.has(name));
}
