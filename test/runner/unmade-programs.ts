// Loaded as a test file if programs that tests need could not be made: one failure for each. The tests that need
// it are skipped.

import { test } from "node:test";
import { unmadePrograms } from "../fixtures/programs/program-cache.ts";

for (const [name, cause] of unmadePrograms()) {
  test(`${name} is made before the tests`, () => {
    throw new Error(cause);
  });
}
