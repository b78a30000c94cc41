// The program that tests start as `freehold`: one bundle of this clone's code, which starts in half the CPU time of the
// sources.

import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./sets.ts";

/** Sets FREEHOLD_TEST_COMMAND, unless the caller has. */
export async function bundleCommand(): Promise<void> {
  if (process.env.FREEHOLD_TEST_COMMAND) return;
  const args = [
    path.join(ROOT, "bin", "release", "bundle.mjs"),
    path.join(ROOT, ".cache", "bundle"),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  process.env.FREEHOLD_TEST_COMMAND = stdout.trim();
}
