// Public clients of the npm registry that only tests use: npm ci in test/sdk/npm-clients installs
// them.

import { existsSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";

const packages = path.join(import.meta.dirname, "npm-clients", "node_modules");
const ABSENT = "it needs npm ci in test/sdk/npm-clients";

/** The path of a client's file; null if it is not installed, and the test is skipped. */
export function npmClient(t: TestContext, name: string): string | null {
  const file = path.join(packages, name);
  if (existsSync(file)) return file;
  // In CI a missing client must fail: a skipped test would go unnoticed.
  if (process.env.CI) throw new Error(ABSENT);
  t.skip(ABSENT);
  return null;
}
