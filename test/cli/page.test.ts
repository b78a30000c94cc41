// docs/cli.md names every command, and every command line of the documentation has the commands and options that it uses.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { exitCodes } from "../../src/base/refusal.ts";
import { commands } from "../../src/cli/command-table.ts";

const docs = path.join(import.meta.dirname, "..", "..", "docs");
const read = (name: string) => readFileSync(path.join(docs, name), "utf8");
const page = read("cli.md");
const pages = ["../README.md", ...readdirSync(docs).filter((name) => name.endsWith(".md"))];
const blocks = pages.flatMap((name) =>
  [...read(name).matchAll(/^```(?:sh)?\n(.*?)^```/gms)].map(([, text]) => text!),
);
const lines = blocks
  .flatMap((text) => text.replaceAll("\\\n", " ").split("\n"))
  .flatMap((line) => /^(?:.*[|(] *)?freehold (.*)$/.exec(line)?.[1] ?? [])
  .map((line) => line.replace(/ +#.*$/, ""));

async function usageOf(words: string[]): Promise<string> {
  const { usage } = await commands[words[0]!]!.load();
  return (await usage(words.slice(1))).text;
}

test("the page names every command", () => {
  const missing = Object.keys(commands).filter((name) => !page.includes(`\`${name}\``));
  assert.deepEqual(missing, []);
});

test("the page lists the subcommands of every noun", async () => {
  const rows = [...page.matchAll(/^\| `([\w-]+)` \| .* \| (`list`.*) \|$/gm)];
  assert.ok(rows.length > 20);
  for (const [, noun = "", cell = ""] of rows) {
    const [, section = ""] = (await usageOf([noun])).split("\nCommands:\n");
    const names = [...section.matchAll(/^ {2}([\w-]+)/gm)].map(([, word]) => word!);
    const listed = [...cell.replace(/\(.*?\)/g, "").matchAll(/`([\w-]+)`/g)].map(
      ([, word]) => word!,
    );
    assert.deepEqual(listed.toSorted(), names.toSorted(), noun);
  }
});

test("the page has examples of commands", () => assert.ok(lines.length > 20));

/** The examples that the help of commands and subcommands ends with. */
const helpExamples: string[] = [];
for (const name of Object.keys(commands)) {
  const text = await usageOf([name]);
  const [, section = ""] = text.split("\nCommands:\n");
  const subcommands = [...section.matchAll(/^ {2}([\w-]+)/gm)].map(([, word]) => word!);
  for (const each of [
    text,
    ...(await Promise.all(subcommands.map((word) => usageOf([name, word])))),
  ])
    helpExamples.push(
      ...(each.split("\nExamples:\n")[1] ?? "").matchAll(/freehold (.*)/g).map(([, line]) => line!),
    );
}

test("the help has examples", () => assert.ok(helpExamples.length > 20));

for (const line of new Set([...lines, ...helpExamples])) {
  test(`freehold ${line}`, async () => {
    const words = line.split(/[ )|;>]+/).filter((word) => word !== "");
    const end = words.indexOf("--");
    const own = end < 0 ? words : words.slice(0, end);
    assert.ok(Object.hasOwn(commands, own[0]!), `there is no command ${own[0]}`);
    const group = await usageOf([own[0]!]);
    // A noun alone lists, and some commands do something else.
    const isAlone = group.includes("\nCommands:\n") && !/^\w/.test(own[1] ?? "");
    const [, usual] = /^ {2}([\w-]+) .*?; the\s+default$/ms.exec(group) ?? [];
    const usage = isAlone
      ? await usageOf([own[0]!, ...(usual ? [usual] : [])])
      : await usageOf(own);
    for (const word of own.filter((each) => /^--?[a-z]/.test(each))) {
      const name = word.replace(/[="].*$/, "");
      assert.match(usage, new RegExp(`(?<![\\w-])${name}(?![\\w-])`), `${own[0]} has no ${name}`);
    }
    const [first = ""] = own.slice(1);
    if (!group.includes("\nCommands:\n") || first === "" || first.startsWith("-")) return;
    assert.match(
      group,
      new RegExp(`^ {2}(?:[\\w-]+\\|)?${first}\\b`, "m"),
      `${own[0]} has no ${first}`,
    );
  });
}

test("the page lists every exit code", () => {
  for (const code of [0, ...Object.values(exitCodes), 130]) {
    assert.match(page, new RegExp(`^\\| ${code} \\| \\w`, "m"));
  }
});
