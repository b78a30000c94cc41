// Folders of a module form no circle, imports of types included.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { folderCircles } from "./circles.ts";
import { sourceOf, sources } from "./sources.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");
const modules = readdirSync(path.join(ROOT, "src"), { withFileTypes: true })
  .filter((each) => each.isDirectory())
  .map(({ name }) => `src/${name}`);
const all = sources("src", "console/src");
const members = [...modules, "console/src"].flatMap((root) => folderCircles(root, all)).flat();

test("folders of a module form no circle", () => assert.deepEqual(members, []));

test("a circle is detected among folders, with types and across files, and none among files", () => {
  const files = [
    sourceOf("src/domain/pod/a.ts", 'import type { B } from "../worker/b.ts";\n'),
    sourceOf("src/domain/worker/c.ts", 'import { d } from "../machine.ts";\n'),
    sourceOf("src/domain/machine.ts", 'import { a } from "./pod/a.ts";\n'),
    sourceOf("src/domain/job/e.ts", 'import { f } from "./f.ts";\n'),
    sourceOf("src/domain/job/f.ts", 'import { e } from "./e.ts";\nimport "../pod/a.ts";\n'),
  ];
  assert.deepEqual(folderCircles("src/domain", files), [
    ["src/domain/machine.ts", "src/domain/pod", "src/domain/worker"],
  ]);
});
