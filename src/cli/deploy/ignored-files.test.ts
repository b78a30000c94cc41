// Rules of .dockerignore, and what Docker's own matcher leaves out by them.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { ignoredBy, readRules } from "./ignored-files.ts";

const names = [
  "Data",
  "[a",
  "a",
  "a+b",
  "b",
  "c++/build",
  "data",
  "old (copy).py",
  "old copy.py",
  "x/a.md",
  "{a}",
];

for (const [text, left] of [
  ["data", ["data"]],
  ["c++", ["c++/build"]],
  ["a+b", ["a+b"]],
  ["old (copy).py", ["old (copy).py"]],
  ["*(*", ["old (copy).py"]],
  ["a|b", []],
  ["^a", []],
  ["{a}", ["{a}"]],
  ["[a-b]", ["a", "b"]],
  ["[^a]", ["b", "x/a.md"]],
  ["[+a]", ["a"]],
  ["a\\+b", ["a+b"]],
  ["\\[a", ["[a"]],
  ["\uFEFFa\r\n# b\r\n\r\n**/*.md\r\n", ["a", "x/a.md"]],
  ["x\n!x/a.md", []],
] as const) {
  test(`the rules ${JSON.stringify(text)}`, (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), "freehold-rules-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, ".dockerignore");
    writeFileSync(file, text);
    assert.deepEqual(names.filter(ignoredBy(readRules(file, false))), left);
  });
}

for (const rule of ["a[", "[", "!x[a-", "[z-a]"]) {
  test(`the rule ${rule} is refused with its line`, (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), "freehold-rules-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, ".dockerignore");
    writeFileSync(file, `data\n${rule}\n`);
    assert.throws(() => readRules(file, true), {
      message: `${file}:2: "${rule}" is no pattern; write "\\[" for a bracket itself`,
    });
  });
}
