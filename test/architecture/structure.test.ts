// The measures of `npm run measure`, on a module of three files.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceOf } from "./sources.ts";
import { measureModule } from "./structure.ts";

test("a module is measured without its tests, and a short file beside its only importer is a sliver", () => {
  const files = [
    sourceOf("src/domain/pod/a.ts", 'import { b } from "./b.ts";\nimport "../job/c.ts";\n'),
    sourceOf("src/domain/pod/a.test.ts", 'import "./a.ts";\nimport "../job/c.ts";\n'),
    sourceOf("src/domain/pod/b.ts", "export const b = 1;\n"),
    sourceOf("src/domain/job/c.ts", "export const c = 1;\n"),
    sourceOf("src/flows/d.ts", 'import { c } from "../domain/job/c.ts";\n'),
  ];
  assert.deepEqual(measureModule("src/domain", files), {
    module: "src/domain",
    files: 3,
    lines: 4,
    medianLines: 1,
    folders: 2,
    folderImports: 1,
    inCircles: 0,
    slivers: ["src/domain/pod/b.ts"],
  });
});
