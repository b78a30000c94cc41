// Runs test files as `node --test` does, but in an order and with a concurrency that suit them: many mostly wait, for
// containers, clusters, browsers or databases. `node --test` starts files by name, so that those that wait for the same
// programs run at once, and afterwards those that need the processor.
// Usage: node bin/run-tests.mjs [--test-name-pattern=TEXT] [--test-concurrency=N] [--test-timeout=MS] FILE...
import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { parseArgs } from "node:util";
import { root } from "./with-node.mjs";

/** More than most machines have cores, since the tests mostly wait. */
const CONCURRENCY = "4";
const TIMEOUT_MS = "600000";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "test-name-pattern": { type: "string", multiple: true },
    "test-concurrency": { type: "string", default: CONCURRENCY },
    "test-timeout": { type: "string", default: TIMEOUT_MS },
  },
});

/** The first file of each folder, then the second of each, and so on: files of a folder often wait for the same. */
function takeTurns(files) {
  const folders = Map.groupBy(files, folderOf);
  const turns = [...folders.values()].flatMap((group) => group.map((file, turn) => [turn, file]));
  return turns.sort(([a], [b]) => a - b).map(([, file]) => file);
}

/** Such as src/edge or test/docker. */
function folderOf(file) {
  return path.relative(root, file).split(path.sep).slice(0, 2).join("/");
}

const ended = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => ended.abort());
run({
  files: takeTurns(positionals),
  concurrency: Number(values["test-concurrency"]),
  timeout: Number(values["test-timeout"]),
  testNamePatterns: values["test-name-pattern"],
  signal: ended.signal,
})
  .on("test:summary", ({ success }) => {
    if (!success) process.exitCode = 1;
  })
  .compose(spec)
  .pipe(process.stdout);
