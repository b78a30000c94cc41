// docs/errors.md equals the fault catalog.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { faultCatalog } from "../../src/domain/fault-catalog.ts";
import { resourceLimits } from "../../src/domain/storage/resource-limits.ts";
import { ERRORS, errorsPage } from "./pages.ts";

test("docs/errors.md lists the fault catalog", () => {
  const page = readFileSync(ERRORS, "utf8");
  assert.equal(page, errorsPage(), "run npm run generate");
  const codes = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  assert.deepEqual(codes, Object.keys(faultCatalog));
});

test("docs/accounts.md lists the limits of an account", () => {
  const page = readFileSync(join(dirname(ERRORS), "accounts.md"), "utf8");
  for (const { limit, nouns } of Object.values(resourceLimits)) {
    assert.ok(page.includes(`| ${nouns} | ${limit.toLocaleString("en")} |`), nouns);
  }
});
