// The unit tests that a change touches: those that load a file which differs from the main branch.

import { spawnSync } from "node:child_process";
import { reachOf } from "./graph.ts";
import { allTestFiles, ROOT } from "./sets.ts";

function git(...args: string[]): string[] | null {
  const { status, stdout } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
  return status === 0 ? stdout.split("\n").filter(Boolean) : null;
}

/** Files that differ from where this branch left main, with those that are not committed. */
function changedFiles(): string[] {
  const [base] = git("merge-base", "HEAD", "main") ??
    git("merge-base", "HEAD", "origin/main") ?? ["HEAD"];
  const changed = git("diff", "--name-only", base!);
  if (!changed) throw new Error("the changed files cannot be read: this is no git checkout");
  return [...changed, ...(git("ls-files", "--others", "--exclude-standard") ?? [])];
}

export function touchedUnitTests(): string[] {
  const changed = changedFiles();
  const units = allTestFiles().filter((file) => /^(?:src|sim)\//.test(file));
  return units.filter((file) => {
    const { files } = reachOf(file);
    return changed.some((each) => files.has(each));
  });
}
