// What the test command runs: every test file belongs to a set, and files that share a process hold no state.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { repeatsOf } from "./again.ts";
import { batched, isPure, sharesProcess } from "./batches.ts";
import { longestFiles, readTimes, withHelpersShared } from "./order.ts";
import { PROGRAMS } from "./programs.ts";
import { repeatedFiles, repeatedPart } from "./replicas.ts";
import { tableOf } from "./report.ts";
import { allTestFiles, ROOT, SETS, setOf } from "./sets.ts";
import { sumOf, withUnsteadyPassed } from "./summary.ts";

const files = allTestFiles();

test("every test file is in a set, and every entry of the sets has tests", () => {
  const homeless = files.filter((file) => setOf(file) === undefined);
  assert.deepEqual(homeless, []);
  const empty = Object.keys(SETS).filter((name) => !files.some((file) => isBelow(file, name)));
  assert.deepEqual(empty, []);
});

test("the longest entry decides about a file", () => {
  assert.equal(setOf("test/sdk/js-client.test.ts"), "core");
  assert.equal(setOf("test/sdk/runpod-1.6.test.ts"), "more");
  assert.equal(setOf("test/nowhere/a.test.ts"), undefined);
});

test("files that read the environment, start processes or keep state in a module have their own process", () => {
  assert.equal(isPure("src/domain/serving/health-check.test.ts"), true);
  const impure = ["test/cli/env.test.ts", "src/domain/serving/choose-worker.test.ts"];
  assert.deepEqual(impure.filter(isPure), []);
});

test("state that a test leaves in a shared process fails the batch and names the test", (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-batch-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const entry = path.join(folder, "a.test.mjs");
  const guard = pathToFileURL(path.join(import.meta.dirname, "batch-guard.ts")).href;
  writeFileSync(
    entry,
    `import { test } from "node:test";
    import ${JSON.stringify(guard)};
    test("clean", () => {});
    test("leaves a variable", () => { process.env.LEFT = "1"; });
    test("next", () => {});`,
  );
  const env = { ...process.env, NODE_TEST_CONTEXT: "" };
  const { status, stdout } = spawnSync(process.execPath, [entry], { env, encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stdout, /state of the process was left by: leaves a variable/);
});

test("a run's table has the CPU time of each file, with child processes, and of what its process takes besides", (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-times-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [file, table] = [path.join(folder, "a.test.ts"), path.join(folder, "times.tsv")];
  const busy = "for (const end = Date.now() + 300; Date.now() < end; );";
  writeFileSync(
    file,
    `import { spawnSync } from "node:child_process";
    import { test } from "node:test";
    ${busy}
    test("works", async (t) => {
      t.after(() => spawnSync(process.execPath, ["-e", ${JSON.stringify(busy)}]));
      await t.test("a part", () => { ${busy} });
    });
    test("waits", (t, done) => { setTimeout(done, 50); });`,
  );
  const [shared, spent] = [path.join(folder, "b.test.ts"), 0.4];
  const busyOnce = `while (process.cpuUsage().user < ${spent * 1e6}); console.log(); setInterval(() => {}, 1e6)`;
  writeFileSync(
    shared,
    `import { spawn } from "node:child_process";
    import { once } from "node:events";
    import { after, test } from "node:test";
    let child;
    after(() => child.kill());
    test("starts what all tests of the file share", async () => {
      child = spawn(process.execPath, ["-e", ${JSON.stringify(busyOnce)}]);
      await once(child.stdout, "data");
    });`,
  );
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, FREEHOLD_TEST_TIMES: table };
  const main = path.join(import.meta.dirname, "main.ts");
  const command = [main, file, shared];
  const { status, stdout } = spawnSync(process.execPath, command, { env, encoding: "utf8" });
  assert.equal(status, 0, stdout);
  assert.doesNotMatch(stdout, /CPU/);
  const [name, sharedName] = [file, shared].map((each) => path.relative(ROOT, each)) as [
    string,
    string,
  ];
  const times = new Map(readTimes(table).map((each) => [each.file, each]));
  const rows = [name, sharedName].flatMap((each) => [each, `starting ${each}`]);
  assert.deepEqual([...times.keys()].sort(), rows.sort());
  if (process.platform === "linux") assert.ok(times.get(sharedName)!.cpuSeconds >= spent);
  // A busy machine gives the loops a part of their time.
  assert.ok(times.get(name)!.cpuSeconds > 0 && times.get(name)!.wallSeconds > 0.6);
  assert.ok(times.get(`starting ${name}`)!.wallSeconds > 0.3);
});

test("a third of the repeated suites runs per commit, and the thirds are all of them", () => {
  const parts = new Set(
    ["a", "b", "c", "d", "e", "f", "g", "h"].map((id) => repeatedPart(id).join()),
  );
  assert.equal(parts.size, 3);
  assert.deepEqual([...parts].flatMap((part) => part.split(",")).sort(), repeatedFiles());
});

test("the figures of several runs are added, and a step that failed without a test is a failure", () => {
  const run = (pass: number) => ({
    name: "core",
    counts: { tests: pass, pass },
    skipped: [],
    failures: [],
  });
  const { tests, pass, fail } = sumOf([run(2), run(3)], []);
  assert.deepEqual([tests, pass, fail], [5, 5, 0]);
  assert.equal(sumOf([run(2)], ["types"]).fail, 1);
});

test("few files that failed run again, but a step that failed otherwise or a batch that broke off does not", () => {
  const run = (name: string, files: string[]) => ({
    name,
    counts: {},
    skipped: [],
    failures: files.map((file) => ({ test: "a test", file })),
  });
  const [one, two] = ["test/rest/a.test.ts", "test/rest/b.test.ts"];
  const results = [run("core", [one!, one!]), run("two replicas", [two!])];
  const repeats = (steps: string[]) => repeatsOf(results, steps);
  assert.deepEqual(repeats(["core"]), [{ run: "core", files: [one] }]);
  assert.equal(repeats(["core", "two replicas"])?.length, 2);
  assert.equal(repeats(["core", "format, lint and types"]), null);
  assert.equal(repeats(["more"]), null);
  const broken = [run("core", [".cache/batches/7/test/rest/1.test.mjs"])];
  assert.equal(repeatsOf(broken, ["core"]), null);
  const many = [
    run(
      "core",
      ["a", "b", "c", "d"].map((name) => `test/rest/${name}.test.ts`),
    ),
  ];
  assert.equal(repeatsOf(many, ["core"]), null);
  const passed = withUnsteadyPassed({ tests: 4, pass: 2, fail: 1, cancelled: 1 });
  assert.deepEqual(passed, { tests: 4, pass: 4, fail: 0, cancelled: 0 });
});

test("the programs of a file are found by what it calls", () => {
  const namesFor = (file: string) =>
    PROGRAMS.filter(({ isFor }) => isFor(file)).map(({ name }) => name);
  assert.deepEqual(namesFor("test/sdk/runpod-1.12.test.ts"), ["Python with runpod-1.12.0"]);
  assert.deepEqual(namesFor("test/tracing/spans.test.ts"), ["collector"]);
  assert.deepEqual(namesFor("src/domain/serving/health-check.test.ts"), []);
});

test("every program is used by a test", () => {
  const unused = PROGRAMS.filter(({ isFor }) => !files.some(isFor)).map(({ name }) => name);
  assert.deepEqual(unused, []);
});

test("files of a folder share a process, unless they change it", () => {
  assert.equal(sharesProcess("test/rest/pods.test.ts"), true);
  const alone = ["test/sdk/own-credentials.test.ts", "test/boot/installation.test.ts"];
  assert.deepEqual(alone.filter(sharesProcess), []);
});

test("a folder that takes long has a process of its own, and those that take little share one", () => {
  const folders = ["rest", "volumes", "webhook", "why"];
  const named = files.filter((file) => folders.includes(path.posix.dirname(file).slice(5)));
  const entries = batched(named, new Map(named.map((file) => [file, 6])));
  const foldersOf = (entry: string) => {
    const imports = readFileSync(path.join(ROOT, entry), "utf8").matchAll(/test\/([\w-]+)\//g);
    return [...new Set([...imports].map(([, folder]) => folder!))].sort();
  };
  assert.deepEqual(entries.map(foldersOf), [["rest"], ["volumes", "webhook", "why"]]);
});

test("what a helper's tests take counts for the files that have no other tests", () => {
  const helper = "test/sdk/python-worker.ts";
  const seconds = withHelpersShared(
    new Map([
      [helper, 60],
      ["test/docker/sdk.test.ts", 5],
    ]),
  );
  assert.equal(seconds.get("test/docker/sdk.test.ts"), 5);
  assert.equal(seconds.has(helper), false);
  assert.ok(seconds.get("test/sdk/runpod-1.7.test.ts")! > 1);
  assert.equal(Math.round([...seconds.values()].reduce((sum, each) => sum + each)), 65);
});

test("each of the longest files exists", () => {
  const names = [...longestFiles().keys()];
  assert.deepEqual(
    names.filter((file) => !existsSync(path.join(ROOT, file))),
    [],
  );
});

test("the closing table counts skipped tests by cause and names a command for them", () => {
  const skip = { cause: "no container engine", tests: 96, files: ["test/docker/a.test.ts"] };
  const counts = { tests: 100, pass: 3, fail: 1, cancelled: 0, skipped: 96 };
  assert.equal(
    tableOf(
      { name: "core", counts, skipped: [skip], failures: [] },
      "9 test files: npm run test:all",
    ),
    [
      "run      4",
      "failed   1",
      "skipped  96",
      "  no container engine: 96",
      "    node bin/test.mjs test/docker/a.test.ts",
      "left out 9 test files: npm run test:all",
    ].join("\n"),
  );
});

function isBelow(file: string, name: string): boolean {
  return file === name || file.startsWith(`${name}/`);
}
