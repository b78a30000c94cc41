// npm test: runs every *.test.ts with Node's test runner, or those of the given files and folders.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "./console.mjs";
import { stopKubernetes } from "./stop-kubernetes.mjs";
import { stopPostgres } from "./stop-postgres.mjs";
import { sortTable, startTable } from "./test-times.mjs";
import { installDependencies, root, run } from "./with-node.mjs";

await installDependencies("bin", "test");

/** All test files below the given files or folders, sorted. */
function testFiles(starts) {
  return starts.flatMap((start) => {
    if (!statSync(start).isDirectory()) return [start];
    return readdirSync(start, { recursive: true })
      .filter((name) => name.endsWith(".test.ts") && !name.includes("node_modules"))
      .map((name) => path.join(start, name));
  });
}

const flags = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const starts = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));

// No other test uses the console.
if (starts.length === 0 || starts.some((start) => /console|package/.test(start))) {
  if (!build()) process.exit(1);
}

// The tests of the packages share one build.
if (starts.length === 0 || starts.some((start) => /test.package/.test(start))) {
  const { buildRelease } = await import("./release/build.mjs");
  await buildRelease({ wheels: process.env.CI !== undefined });
}

// The first test that needs PostgreSQL starts a server in this folder, and all tests share it.
const postgres = mkdtempSync(path.join(tmpdir(), "freehold-postgres-"));
process.on("exit", () => stopPostgres(postgres));
// The first test that needs a migrated SQLite database leaves one here, and all tests copy it.
const sqlite = mkdtempSync(path.join(tmpdir(), "freehold-sqlite-"));
process.on("exit", () => rmSync(sqlite, { recursive: true, force: true }));
// The same for a Kubernetes cluster.
const kubernetes = mkdtempSync(path.join(tmpdir(), "freehold-kubernetes-"));
process.on("exit", () => stopKubernetes(kubernetes));
// Hundreds of processes load the same modules, so they share a compile cache.
const compiled = mkdtempSync(path.join(tmpdir(), "freehold-compiled-"));
process.on("exit", () => rmSync(compiled, { recursive: true, force: true }));
const folders = ["src", "sim", "bench", "test"].map((name) => path.join(root, name));
const files = testFiles(starts.length > 0 ? starts : folders).sort();
const ends = path.join(root, "bin", "test-ends.mjs");
const times = path.join(root, "bin", "test-times.mjs");
// Where the time of a full run goes.
const table = path.join(root, ".cache", "test-times.tsv");
if (starts.length === 0) {
  startTable(table);
  process.on("exit", () => sortTable(table));
}
// A test that leaks ends with an error, before the machine has to swap.
const heap = "--max-old-space-size=2048";
run("--test", files, {
  flags: [
    heap,
    "--import",
    ends,
    "--import",
    times,
    "--test-concurrency=3",
    "--test-timeout=600000",
    ...flags,
  ],
  cwd: root,
  env: {
    FREEHOLD_TEST_POSTGRES: postgres,
    FREEHOLD_TEST_SQLITE: sqlite,
    FREEHOLD_TEST_KUBERNETES: kubernetes,
    NODE_COMPILE_CACHE: compiled,
    ...(starts.length === 0 && { FREEHOLD_TEST_TIMES: table }),
  },
});
