// Names of Flash apps and environments.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nameFault } from "./app.ts";

test("a name has 1 to 191 characters, no spaces around it and no control characters", () => {
  for (const name of ["a", "my app", "日本", "x".repeat(191)]) assert.equal(nameFault(name), null);
  for (const name of ["", " ", " a", "a ", "a\nb", "a\u0000", "x".repeat(192)]) {
    assert.equal(nameFault(name)?.code, "invalid_body", JSON.stringify(name));
  }
});
