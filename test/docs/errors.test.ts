// docs/errors.md and the fault catalogue are the same, both ways.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { catalogue } from "../../src/domain/fault.ts";
import { ERRORS, errorsPage } from "./pages.ts";

test("the page is the catalogue", () => {
  const page = readFileSync(ERRORS, "utf8");
  assert.equal(page, errorsPage(), "write it anew: node bin/run.mjs test/docs/write.ts");
  const told = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  assert.deepEqual(told, Object.keys(catalogue));
});
