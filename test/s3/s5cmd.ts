// The S3 client s5cmd, built from its Go module by the first test that needs it.

import path from "node:path";
import type { TestContext } from "node:test";
import { goProgram } from "../fixtures/go-program.ts";

const MODULE = path.join(import.meta.dirname, "s5cmd");

/** Null without Go, and the test is skipped. */
export const s5cmd = (t: TestContext): string | null =>
  goProgram(t, { name: "s5cmd", module: MODULE, package: "github.com/peak/s5cmd/v2" });
