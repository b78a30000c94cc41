// A file past 300 lines or a function past 70 is usually two ideas. What is longer today stands in
// the list below, which may only shrink.

import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, sourceOf, sources } from "./sources.ts";

const FILE_LINES = 300;
const FUNCTION_LINES = 70;

/** File, or file:function's first words, and the length it must not outgrow. */
const exceptions: Record<string, number> = {};

const all = sources("src", "test", "sim", "bench", "examples", "console/src");

test("no file is too long", () => {
  const long = all.filter(({ file, lines }) => lines.length > (exceptions[file] ?? FILE_LINES));
  assert.deepEqual(
    long.map(({ file, lines }) => `${file}: ${lines.length} lines`),
    [],
  );
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

test("an exception that is needed no more is struck from the list", () => {
  const needless = Object.keys(exceptions).filter((name) => {
    const file = all.find((source) => source.file === name.replace(/\(\)$/, ""));
    if (!file) return true;
    if (!name.endsWith("()")) return file.lines.length <= FILE_LINES;
    return functionsOf(file).every(({ lines }) => lines <= FUNCTION_LINES);
  });
  assert.deepEqual(needless, []);
});

test("every source file says first what it is", () => {
  const silent = sources("src", "console/src").filter(
    ({ lines, testing }) => !testing && !lines[0]?.startsWith("//"),
  );
  assert.deepEqual(
    silent.map(({ file }) => file),
    [],
  );
});

test("a long function is seen", () => {
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
