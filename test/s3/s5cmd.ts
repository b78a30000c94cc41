// The S3 client s5cmd, built from its Go module by the first test that needs it.

import path from "node:path";
import type { TestContext } from "node:test";
import { type GoProgram, goProgram } from "../fixtures/programs/go-program.ts";

export const S5CMD: GoProgram = {
  name: "s5cmd",
  module: path.join(import.meta.dirname, "s5cmd"),
  package: "github.com/peak/s5cmd/v2",
};

/** Null without Go, and the test is skipped. */
export const s5cmd = (t: TestContext): string | null => goProgram(t, S5CMD);
