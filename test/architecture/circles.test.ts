// Folders of a module form no circle, imports of types included. The circles that still exist are listed
// with their members; the list may only shrink.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { folderCircles } from "./circles.ts";
import { sourceOf, sources } from "./sources.ts";

/** Members of circles by the folder that has them. */
const EXCEPTIONS: Record<string, readonly string[]> = {
  // The generated types of resolvers name the views of every noun.
  "src/edge/graphql": "account cluster endpoint flash machine pod schema template".split(" "),
};

const ROOT = path.join(import.meta.dirname, "..", "..");
const modules = readdirSync(path.join(ROOT, "src"), { withFileTypes: true })
  .filter((each) => each.isDirectory())
  .map(({ name }) => `src/${name}`);
const all = sources("src", "console/src");
const members = [...modules, "console/src"].flatMap((root) => folderCircles(root, all)).flat();

const excepted = Object.entries(EXCEPTIONS).flatMap(([folder, names]) =>
  names.map((name) => `${folder}/${name}`),
);

test("folders of a module form no circle", () => {
  assert.deepEqual(
    members.filter((each) => !excepted.includes(each)),
    [],
  );
});

test("an exception that is in no circle is deleted", () => {
  assert.deepEqual(
    excepted.filter((each) => !members.includes(each)),
    [],
  );
});

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
