// docs/errors.md equals the fault catalog.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { faultCatalog } from "../../src/domain/fault.ts";
import { ERRORS, errorsPage } from "./pages.ts";

test("docs/errors.md lists the fault catalog", () => {
  const page = readFileSync(ERRORS, "utf8");
  assert.equal(page, errorsPage(), "run npm run generate");
  const codes = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  assert.deepEqual(codes, Object.keys(faultCatalog));
});
