// Runs test files with Node's test runner: those of a set, or those of the given files and folders.
// Usage: main.ts [--all | --more | --touched | --replicas[=part]] [--programs] [PATH...] [--test-name-pattern=TEXT and other flags of node --test]

import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { run } from "node:test";
import type { TestEvent } from "node:test/reporters";
import { unmadeEnvironment } from "../fixtures/programs/program-cache.ts";
import { findPrograms } from "../postgres/server.ts";
import { batched } from "./batches.ts";
import { makePrograms } from "./make-programs.ts";
import { longestFiles } from "./order.ts";
import { repeatedFiles, repeatedPart } from "./replicas.ts";
import { Report } from "./report.ts";
import { allTestFiles, ROOT, setOf, testFilesBelow } from "./sets.ts";
import { buildStartBundle } from "./start-bundle.ts";
import { touchedUnitTests } from "./touched.ts";

/** More than most machines have cores, because most tests mostly wait. */
const CONCURRENCY = 4;
/** A test that takes longer hangs. */
const TEST_TIMEOUT_MS = 600_000;
/** A file has many tests, and shares the machine with others. */
const FILE_TIMEOUT_MS = 1_800_000;
/** A test that leaks ends with an error, before the machine has to swap. */
const HEAP = "--max-old-space-size=2048";
const PRELOADED = ["test-ends.mjs", "test-times.mjs"].flatMap((name) => [
  "--import",
  path.join(ROOT, "bin", name),
]);

const SELECTING = /^--(?:all|more|touched|replicas|replicas=part|programs)$/;

interface Selection {
  name: "core" | "more" | "all" | "touched" | "two replicas" | "paths";
  files: string[];
}

function select(args: string[]): Selection {
  const starts = args.filter((each) => !each.startsWith("--"));
  if (starts.length > 0) return { name: "paths", files: starts.flatMap(filesAt).sort() };
  const all = allTestFiles();
  if (args.includes("--all")) return { name: "all", files: all };
  if (args.includes("--replicas")) return { name: "two replicas", files: repeatedFiles() };
  if (args.includes("--replicas=part")) return { name: "two replicas", files: repeatedPart() };
  if (args.includes("--touched")) {
    const rules = all.filter((file) => /^test\/(?:architecture|runner)\//.test(file));
    return { name: "touched", files: [...rules, ...touchedUnitTests()] };
  }
  const name = args.includes("--more") ? "more" : "core";
  return { name, files: all.filter((file) => setOf(file) === name) };
}

/** Relative to the repository, wherever the command was started. */
function filesAt(start: string): string[] {
  const where = path.resolve(start);
  if (!existsSync(where)) throw new Error(`no such file or folder: ${start}`);
  const file = path.relative(ROOT, where).replaceAll(path.sep, "/");
  return statSync(where).isDirectory() ? testFilesBelow(file) : [file];
}

function leftOut({ name, files }: Selection): string | null {
  if (name !== "core") return null;
  return `${allTestFiles().length - files.length} test files: npm run test:all`;
}

const args = process.argv.slice(2);
const selection = select(args);
const flags = args.filter((each) => each.startsWith("--") && !SELECTING.test(each));
if (selection.name === "two replicas" && findPrograms() === null && !process.env.CI) {
  process.stderr.write("\nThe tests on two replicas were skipped: they need PostgreSQL.\n");
  process.exit(0);
}
if (args.includes("--programs")) {
  const problems = await makePrograms(selection.files, (program) => !program.whole);
  for (const { problem } of problems.values()) process.stderr.write(`${problem}\n`);
  process.exit(0);
}
// Files that are named start few processes.
const isSet = !/^(?:paths|touched)$/.test(selection.name);
const [unmade] = await Promise.all([
  makePrograms(selection.files),
  isSet ? buildStartBundle() : undefined,
]);
const failed = [...unmade].filter(([, { failed }]) => failed || process.env.CI);
Object.assign(
  process.env,
  unmadeEnvironment(Object.fromEntries(failed.map(([{ name }, { problem }]) => [name, problem]))),
);
const unable = failed.map(([program]) => program).filter(({ whole }) => whole);
const able = selection.files.filter((file) => !unable.some(({ isFor }) => isFor(file)));
const reports = failed.length > 0 ? ["test/runner/unmade-programs.ts"] : [];

// Files that are named one by one run each in a process of its own.
const alone = new Set(args.filter((each) => each.endsWith(".test.ts")).flatMap(filesAt));
const together = able.filter((file) => !alone.has(file));
const ordered = [...able.filter((file) => alone.has(file)), ...batched(together, longestFiles())];
const files = [...reports, ...ordered].map((file) => path.join(ROOT, file));

const value = (name: string) =>
  flags.findLast((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
const known = /^--test-(?:name-pattern|skip-pattern|concurrency|timeout)=/;

if (flags.every((flag) => known.test(flag))) {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      process.exitCode = 130;
      interrupted.abort();
    });
  }
  const patterns = (name: string) =>
    flags.filter((flag) => flag.startsWith(name)).map((flag) => flag.slice(name.length));
  const names = patterns("--test-name-pattern=");
  const skips = patterns("--test-skip-pattern=");
  const report = new Report(selection.name, leftOut(selection));
  run({
    files,
    cwd: ROOT,
    concurrency: Number(value("test-concurrency") ?? CONCURRENCY),
    timeout: FILE_TIMEOUT_MS,
    signal: interrupted.signal,
    execArgv: [HEAP, ...PRELOADED, `--test-timeout=${value("test-timeout") ?? TEST_TIMEOUT_MS}`],
    ...(names.length > 0 && { testNamePatterns: names }),
    ...(skips.length > 0 && { testSkipPatterns: skips }),
  })
    .compose((events: AsyncIterable<TestEvent>) => report.write(events))
    .pipe(process.stdout);
} else {
  // Flags that only Node's own command knows.
  const limits = [`--test-concurrency=${CONCURRENCY}`, `--test-timeout=${TEST_TIMEOUT_MS}`];
  const command = [HEAP, ...PRELOADED, ...limits, ...flags, "--test", ...files];
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}
