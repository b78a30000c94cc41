// Runs the test files that failed in a CI run once more, each in a process of its own and with nothing beside it. A test that
// passes then depends on the load of the machine; the summary names it.
// Usage: again.ts RESULTS STEP THAT FAILED...

import { spawnSync } from "node:child_process";
import path from "node:path";
import { type Failure, type RunResult, readResults } from "./report.ts";
import { ROOT } from "./sets.ts";

/** More of them are no accident. */
const MAX_FILES = 3;
export interface Repeat {
  run: string;
  files: string[];
}

/** A step that runs tests has the name of its results. Null if a step failed for another reason than its tests, or if too many files failed. */
export function repeatsOf(results: RunResult[], failedSteps: string[]): Repeat[] | null {
  const repeats: Repeat[] = [];
  for (const run of failedSteps) {
    const failures = results.find(({ name }) => name === run)?.failures ?? [];
    const files = [...new Set(failures.map(({ file }) => file))];
    if (files.length === 0 || !files.every(isTestFile)) return null;
    repeats.push({ run, files });
  }
  return repeats.flatMap(({ files }) => files).length > MAX_FILES ? null : repeats;
}

/** A batch that ends early has no file of its own that could run again. */
const isTestFile = (file: Failure["file"]) => /^(?:src|test|bench)\/.*\.test\.ts$/.test(file);

function runAgain({ run, files }: Repeat): boolean {
  const sets = run === "two replicas" ? ["--replicas"] : [];
  return files.every((file) => {
    process.stdout.write(`\n== again, alone: ${file}\n`);
    const env = { ...process.env };
    delete env.FREEHOLD_TEST_RESULTS;
    const command = [path.join(ROOT, "bin", "test.mjs"), ...sets, file];
    return spawnSync(process.execPath, command, { cwd: ROOT, env, stdio: "inherit" }).status === 0;
  });
}

if (import.meta.main) {
  const [file, ...failedSteps] = process.argv.slice(2);
  const repeats = repeatsOf(readResults(file!), failedSteps);
  process.exit(repeats?.every(runAgain) ? 0 : 1);
}
