// Public clients of the npm registry that only tests use, and only here: npm ci in test/sdk/npm-clients
// brings them.

import { existsSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";

const packages = path.join(import.meta.dirname, "npm-clients", "node_modules");
const ABSENT = "it needs npm ci in test/sdk/npm-clients";

/** Where a file of a client lies; null where it is not installed, and the test is skipped. */
export function npmClient(t: TestContext, name: string): string | null {
  const file = path.join(packages, name);
  if (existsSync(file)) return file;
  // A skip that nobody reads is a test that nobody runs.
  if (process.env.CI) throw new Error(ABSENT);
  t.skip(ABSENT);
  return null;
}
