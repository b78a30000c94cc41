// Runs commands under `freehold intercept`, for tests.

import assert from "node:assert/strict";
import path from "node:path";
import { freehold } from "../cli/command.ts";
import type { TestService } from "../fixtures/service/service.ts";

const root = path.join(import.meta.dirname, "..", "..");

/** Returns what a command prints under interception. It must succeed. */
export async function intercepted(
  service: Pick<TestService, "dataFolder">,
  ...command: string[]
): Promise<string> {
  const args = ["intercept", "--data", service.dataFolder, "--", ...command];
  const { code, stdout, stderr } = await freehold(args, root);
  assert.equal(code, 0, stderr + stdout);
  return stdout;
}
