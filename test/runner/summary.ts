// The end of a CI run of several test commands: what was skipped and why, the ten slowest files, the CPU seconds by
// folder, and the sums of Node's closing lines.
// Usage: summary.ts [--unsteady] RESULTS TIMES [STEP THAT FAILED...]: `--unsteady` if what failed has passed alone, or `summary.ts --page` to write a page below bench/results from
// the last full run.

import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type FileTime, readTimes, TIMES } from "./order.ts";
import { CLOSING, type RunResult, readResults, tableOf } from "./report.ts";
import { ROOT } from "./sets.ts";

const SLOWEST = 10;

export function secondsByFolder(times: FileTime[]): [folder: string, seconds: number][] {
  const folders = Map.groupBy(times, ({ file }) => {
    if (file.startsWith("starting ")) return "starting test processes";
    const [first, second] = file.split("/");
    return first === "test" ? `${first}/${second}` : first!;
  });
  return [...folders]
    .map(([folder, files]): [string, number] => [
      folder,
      files.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    ])
    .sort(([, a], [, b]) => b - a);
}

/** A step that fails without a failed test counts as one. */
export function sumOf(results: RunResult[], failedSteps: string[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const name of CLOSING) {
    sums[name] = results.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);
  }
  if (failedSteps.length > 0 && sums.fail === 0 && sums.cancelled === 0) {
    sums.fail = failedSteps.length;
    sums.tests = (sums.tests ?? 0) + failedSteps.length;
  }
  return sums;
}

/** What failed beside other tests and passed alone is a pass, which the summary names. */
export function withUnsteadyPassed(sums: Record<string, number>): Record<string, number> {
  const { pass = 0, fail = 0, cancelled = 0 } = sums;
  return { ...sums, pass: pass + fail + cancelled, fail: 0, cancelled: 0 };
}

function page(times: FileTime[]): string {
  const total = times.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const rows = secondsByFolder(times).map(
    ([folder, seconds]) => `| ${folder} | ${seconds.toFixed(0)} |`,
  );
  return [
    "# CPU seconds of the tests",
    "",
    "Written by `node bin/run.mjs test/runner/summary.ts --page` after a full run; a figure to read, not a test.",
    "",
    "| folder | CPU seconds |",
    "| --- | ---: |",
    ...rows,
    `| all | ${total.toFixed(0)} |`,
    "",
  ].join("\n");
}

function print(
  resultsFile: string,
  timesFile: string,
  failedSteps: string[],
  isUnsteady: boolean,
): void {
  const results = readResults(resultsFile);
  const times = existsSync(timesFile) ? readTimes(timesFile) : [];
  const output = results.flatMap((result) => [`== ${result.name}`, tableOf(result, null), ""]);
  if (isUnsteady) {
    output.push("Failed beside other tests and passed alone:");
    for (const { test, file } of results.flatMap(({ failures }) => failures))
      output.push(`  ${file}: ${test}`);
    output.push("");
  }
  if (failedSteps.length > 0) output.push(`failed steps: ${failedSteps.join(", ")}`, "");
  output.push("The slowest files (wall seconds, CPU seconds):");
  for (const time of times.toSorted((a, b) => b.wallSeconds - a.wallSeconds).slice(0, SLOWEST)) {
    const { file, wallSeconds, cpuSeconds } = time;
    output.push(
      `${wallSeconds.toFixed(0).padStart(6)} ${cpuSeconds.toFixed(0).padStart(6)} ${file}`,
    );
  }
  output.push("", "CPU seconds by folder:");
  for (const [folder, seconds] of secondsByFolder(times)) {
    output.push(`${seconds.toFixed(0).padStart(6)} ${folder}`);
  }
  const all = sumOf(results, failedSteps);
  const sums = isUnsteady ? withUnsteadyPassed(all) : all;
  output.push("", ...CLOSING.map((name) => `ℹ ${name} ${sums[name]}`));
  process.stdout.write(`${output.join("\n")}\n`);
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const [first, second, ...failedSteps] = args.filter((each) => !each.startsWith("--"));
  if (args.includes("--page")) {
    writeFileSync(path.join(ROOT, "bench", "results", "tests.md"), page(readTimes(TIMES)));
  } else print(first!, second!, failedSteps, args.includes("--unsteady"));
}
