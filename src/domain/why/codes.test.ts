import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { whyCodes } from "./codes.ts";

test("docs/why.md lists every reason, and no other, with its meaning", () => {
  const page = readFileSync(new URL("../../../docs/why.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, code, text]) => [
    code,
    text,
  ]);
  assert.deepEqual(rows, Object.entries(whyCodes));
});
