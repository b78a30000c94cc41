// The vocabulary of comments, test names and documentation: words that a standard term or a plain
// subject has replaced. Each is on the list with the words to use instead.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { proseOf, proseOfPage, type Sentence } from "./prose.ts";
import { sources } from "./sources.ts";

const replacements: [banned: RegExp, instead: string][] = [
  [/\b(?:whoever|whomever)\b/i, "any caller, a caller that"],
  [/\b(?:nobody|somebody|anybody|everybody)(?:'s)?\b/i, "no caller, a user, every account"],
  [/\b(?:he|his|him|himself)\b/i, "they, their; it for a process"],
  [/\b(?:to|for|from|of) who\b|^who\b/i, "a caller that, a process that"],
  [/\bon paper\b/i, "simulated"],
  [/\b(?:the|a|this|one|whole) house\b/i, "the service"],
  [/\bbrak(?:e|ed|es|ing)\b/i, "back-off, backed off"],
  [/\b(?:is|are|was|were|be|been) told\b/i, "is notified, is asked to, is reported"],
  [/\b(?:it|that|which|and|all) goes on\b/i, "continues"],
  [/\b(?:is|are|was|were) let (?:go|in)\b|\blets? (?:it|them) go\b/i, "is released, is admitted"],
  [/\bstrangers?\b/i, "another account"],
  [/\b(?:has|have|all the|its|of|one|no) dut(?:y|ies)\b/i, "leadership"],
  [/\b(?:that the test plays|played by the test)\b/i, "simulated"],
  [/\bcomes? to nothing|came to nothing\b/i, "fails"],
  [/\bfor ever\b/i, "forever"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\bwords of (?:its|our) own\b/i, "its own terms"],
];

const all: [file: string, prose: Sentence[]][] = [
  ...sources("src", "console/src", "test", "bench", "sim", "examples").map(
    ({ file, lines }): [string, Sentence[]] => [file, proseOf(lines.join("\n"))],
  ),
  ...pages(),
];

function pages(): [string, Sentence[]][] {
  const root = path.join(import.meta.dirname, "..", "..");
  const docs = readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" });
  const files = docs.map((name) => `docs/${name}`);
  return [...files, "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
    .filter((name) => name.endsWith(".md"))
    .map((name) => [name, proseOfPage(readFileSync(path.join(root, name), "utf8"))]);
}

test("no comment, test name or page uses a word that plain terms have replaced", () => {
  const found = all.flatMap(([file, prose]) => breaches(prose).map((each) => `${file}:${each}`));
  assert.deepEqual(found, []);
});

test("comments, test names and pages are read", () => {
  const count = (ends: RegExp) =>
    all.filter(([file, prose]) => ends.test(file) && prose.length > 0).length;
  assert.ok(count(/^src\/.*\.ts$/) > 500);
  assert.ok(count(/\.test\.ts$/) > 200);
  assert.ok(count(/\.md$/) > 20);
});

const planted: [text: string, breach: string | null][] = [
  ["// Nobody sees it.", "1: no caller, a user, every account"],
  ["const a = 1; /" + "/ his key", "1: they, their; it for a process"],
  ["/** A comment on\n * paper. */", "1: simulated"],
  ['\ntest("a worker is braked", () => {});', "2: back-off, backed off"],
  ["tes" + 't(\n  "a worker is told to stop",\n);', "1: is notified, is asked to, is reported"],
  ["const nobody = his(theHouse);", null],
  ['const text = "nobody is told";', null],
  ["// This one adheres to history, thisHis and households.", null],
];

for (const [text, breach] of planted) {
  test(`${JSON.stringify(text)} is ${breach ? "a breach" : "allowed"}`, () => {
    assert.equal(breaches(proseOf(text))[0] ?? null, breach);
  });
}

test("code on a page is not prose", () => {
  assert.deepEqual(
    breaches(proseOfPage("Run `nobody`.\n\n```\nwhoever\n```\n\nIt is on\npaper.")),
    ["7: simulated"],
  );
});

function breaches(prose: Sentence[]): string[] {
  return prose.flatMap(({ line, text }) => {
    const rule = replacements.find(([banned]) => banned.test(text));
    return rule ? [`${line}: ${rule[1]}`] : [];
  });
}
