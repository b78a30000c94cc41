// The S3 client s5cmd, built from its Go module by the first test that needs it and cached outside the repository.

import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";

const MODULE = path.join(import.meta.dirname, "s5cmd");

/** Null without Go, and the test is skipped. */
export function s5cmd(t: TestContext): string | null {
  const program = cached();
  if (existsSync(program)) return program;
  const problem = build(program);
  if (problem === null) return program;
  // In CI a missing client must fail: a skipped test would go unnoticed.
  if (process.env.CI) throw new Error(problem);
  t.skip(problem);
  return null;
}

/** Named for the versions that it is built from. */
function cached(): string {
  const sums = readFileSync(path.join(MODULE, "go.sum"));
  const digest = createHash("sha256").update(sums).digest("hex").slice(0, 12);
  const cache = process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache");
  return path.join(cache, "freehold-s5cmd", digest, "s5cmd");
}

/** Null on success. */
function build(program: string): string | null {
  if (spawnSync("go", ["version"]).status !== 0) return "it needs Go, to build s5cmd";
  mkdirSync(path.dirname(program), { recursive: true });
  // Another run may build it too; each renames a whole program.
  const building = `${program}.${process.pid}`;
  const args = [
    "build",
    "-trimpath",
    "-buildvcs=false",
    "-o",
    building,
    "github.com/peak/s5cmd/v2",
  ];
  try {
    execFileSync("go", args, { cwd: MODULE, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return `s5cmd was not built: ${stderr?.trim().split("\n").at(-1) || message}`;
  }
  renameSync(building, program);
  return null;
}
