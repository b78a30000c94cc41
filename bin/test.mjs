// npm test: runs test files with Node's test runner, through test/runner/main.ts.
// Usage: node bin/test.mjs [--all | --more | --touched | --replicas[=part]] [--programs] [PATH...] [flags of node --test]
// Without paths it runs the core set of test/runner/sets.ts; `--more` runs the rest, and `--all` both. `--touched` runs
// the architecture tests and the unit tests that load a file which differs from main;
// `--replicas` repeats suites with two replicas on PostgreSQL, or a third of them. `--programs` only makes the programs that
// the tests need.
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import path from "node:path";
import { stopKubernetes } from "./stop-kubernetes.mjs";
import { stopPostgres } from "./stop-postgres.mjs";
import { sortTable, startTable } from "./test-times.mjs";
import { installDependencies, root, run } from "./with-node.mjs";

const MAX_AGE_MS = 14 * 86_400_000;

await installDependencies("bin", "test");

// The first test that needs PostgreSQL starts a server in this folder, and all tests share it. Servers of tests' own are
// beside it.
const postgres = serversFolder();
process.on("exit", () => stopPostgres(postgres));
// The first test that needs a migrated SQLite database leaves one here, and all tests copy it.
const sqlite = mkdtempSync(path.join(tmpdir(), "freehold-sqlite-"));
process.on("exit", () => rmSync(sqlite, { recursive: true, force: true }));
// The same for a Kubernetes cluster.
const kubernetes = mkdtempSync(path.join(tmpdir(), "freehold-kubernetes-"));
process.on("exit", () => stopKubernetes(kubernetes));
// Hundreds of processes load the same modules, so they share a compile cache. The next run finds it too.
const compiled = path.join(root, ".cache", "compiled");
removeOldFiles(compiled);
// Where the time of a run goes, beside its output.
const table = path.join(root, ".cache", "test-times.tsv");
const args = process.argv.slice(2);
const isFull =
  args.every((argument) => argument.startsWith("--")) &&
  !args.some((argument) => /^--(?:touched|replicas|programs)/.test(argument));
const { FREEHOLD_TEST_TIMES: commonTable } = process.env;
if (isFull && !commonTable) {
  startTable(table);
  process.on("exit", () => sortTable(table));
}
const onReplicas = args.some((argument) => argument.startsWith("--replicas"));
run(path.join(root, "test", "runner", "main.ts"), args, {
  env: {
    FREEHOLD_TEST_POSTGRES: postgres,
    FREEHOLD_TEST_SQLITE: sqlite,
    FREEHOLD_TEST_KUBERNETES: kubernetes,
    NODE_COMPILE_CACHE: compiled,
    ...(isFull && { FREEHOLD_TEST_TIMES: commonTable ?? table }),
    ...(onReplicas && { FREEHOLD_TEST_STORE: "postgres", FREEHOLD_TEST_REPLICAS: "2" }),
  },
});

/** A new folder, in memory where there is room: a new database is 300 files, which cost a disk more than all that a test does with them. */
function serversFolder() {
  const newIn = (parent) => mkdtempSync(path.join(parent, "freehold-postgres-"));
  const [memory, room] = ["/dev/shm", 4 * 2 ** 30];
  try {
    const { bavail, bsize } = statfsSync(memory);
    // A container's limit counts files in memory too.
    const free = process.availableMemory?.() ?? freemem();
    if (Math.min(bavail * bsize, free) >= room) return newIn(memory);
  } catch {
    // The machine has no such folder, or it cannot be written to.
  }
  return newIn(tmpdir());
}

/** Each bundle of the sources leaves compiled code of its own. What is still in use is compiled again. */
function removeOldFiles(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const isOld = () => Date.now() - statSync(file).mtimeMs > MAX_AGE_MS;
    if (entry.isFile() && isOld()) rmSync(file, { force: true });
  }
}
