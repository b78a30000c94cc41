// The measures of `npm run measure`, on a module of three files, and the slivers that may stay.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceOf, sources } from "./sources.ts";
import { measureModule } from "./structure.ts";

/** An idea with a name and mostly a test of its own, or a file whose only importer has no room left. The list may only shrink. */
const SLIVERS = [
  "console/src/components/log/library-line.ts",
  "src/app/boot/log.ts",
  "src/app/boot/ssh.ts",
  "src/config/mail-config.ts",
  "src/domain/catalog/slice-type.ts",
  "src/drivers/process/home.ts",
  "src/drivers/simulated/image-pull.ts",
  "src/edge/balancer/requested-worker.ts",
];

test("a file of at most 30 lines does not lie beside its only importer: merge the two", () => {
  const all = sources("src", "console/src");
  const slivers = ["src", "console/src"].flatMap((root) => measureModule(root, all).slivers);
  assert.deepEqual(slivers.sort(), SLIVERS);
});

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
