// An hour, a day and a gigabyte have their names from src/base/units.ts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sources } from "./sources.ts";

const NUMBER =
  /\b(?:3_600_000|86_400_000)\b|\b24 \* 3_?600\b|\b60 \* 60 \* 1_?000\b|\b1_?024 \*\* [23]\b|\b2 \*\* [23]0\b/;
/** Published on their own, or nothing of ours is imported there. */
const APART = ["src/base/units.ts", "src/contract/", "src/serve/"];

test("hours, days and gigabytes are written with their units", () => {
  const bare = sources("src")
    .filter(({ file, testing }) => !testing && !APART.some((each) => file.startsWith(each)))
    .flatMap(({ file, lines }) =>
      lines.flatMap((line, index) => (NUMBER.test(line) ? [`${file}:${index + 1}`] : [])),
    );
  assert.deepEqual(bare, []);
});
