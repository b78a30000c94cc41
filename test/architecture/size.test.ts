// A file has at most 300 lines and a function at most 70. Longer ones are listed below, and the
// list may only shrink.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { functionsOf, sourceOf, sources } from "./sources.ts";

const FILE_LINES = 300;
const FUNCTION_LINES = 70;
const FOLDER_FILES = 15;

/** A file, or `file()` for its functions, with the length that it must not exceed. */
const exceptions: Record<string, number> = {
  "src/domain/placement/decide.test.ts": 398,
  "src/domain/why/queue.test.ts": 311,
  "src/drivers/kubernetes/kubernetes-driver.test.ts": 320,
  "src/drivers/models/model-cache.test.ts": 320,
  "test/balancer/requests.test.ts": 328,
  "test/cli/resources.test.ts": 380,
  "test/docs/answers.test.ts": 389,
  "test/graphql/pods.test.ts": 351,
  "test/graphql/serverless.test.ts": 330,
  "test/package/test-kits.test.ts": 355,
  "test/pods/shell.test.ts": 333,
  "test/rest/endpoints.test.ts": 303,
  "test/testing/faults.test.ts": 372,
};

const all = sources("src", "test", "sim", "bench", "examples", "console/src").filter(
  ({ file }) => !file.endsWith(".generated.ts"),
);

test("no file is too long", () => {
  const long = all.filter(({ file, lines }) => lines.length > (exceptions[file] ?? FILE_LINES));
  assert.deepEqual(
    long.map(({ file, lines }) => `${file}: ${lines.length} lines`),
    [],
  );
});

test("no literal is spread into another to save lines", () => {
  const packed = all.flatMap(({ file, lines }) =>
    lines.flatMap((line, n) => (/^\s*\.\.\.\{/.test(line) ? [`${file}:${n + 1}`] : [])),
  );
  assert.deepEqual(packed, []);
});

test("no function is too long", () => {
  const long = all.flatMap(functionsOf).filter(({ file, lines }) => {
    return lines > (exceptions[`${file}()`] ?? FUNCTION_LINES);
  });
  assert.deepEqual(
    long.map(({ file, line, lines }) => `${file}:${line}: ${lines} lines`),
    [],
  );
});

test("no folder has too many files", () => {
  const folders = new Map<string, number>();
  for (const { file, testing } of all) {
    if (testing) continue;
    const folder = path.posix.dirname(file);
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  const wide = [...folders].filter(([, files]) => files > FOLDER_FILES);
  assert.deepEqual(wide, []);
});

test("an unused exception is deleted", () => {
  const needless = Object.keys(exceptions).filter((name) => {
    const file = all.find((source) => source.file === name.replace(/\(\)$/, ""));
    if (!file) return true;
    if (!name.endsWith("()")) return file.lines.length <= FILE_LINES;
    return functionsOf(file).every(({ lines }) => lines <= FUNCTION_LINES);
  });
  assert.deepEqual(needless, []);
});

test("every source file begins with a comment", () => {
  const silent = sources("src", "console/src").filter(
    ({ lines, testing }) => !testing && !lines[0]?.startsWith("//"),
  );
  assert.deepEqual(
    silent.map(({ file }) => file),
    [],
  );
});

test("a long function is detected", () => {
  const body = Array.from({ length: 80 }, () => "  a();").join("\n");
  for (const head of [
    "function f() {",
    "const f = (a: A): B => {",
    "export function* f(): V<A> {",
  ]) {
    const found = functionsOf(sourceOf("src/base/x.ts", `${head}\n${body}\n}\n`));
    assert.equal(found.at(0)?.lines, 82, head);
  }
});
