import assert from "node:assert/strict";
import { it } from "node:test";
import { Bash } from "just-bash/browser";
import { ScriptReader } from "./script-reader.ts";

/** Counts the characters that are parsed. */
function reader() {
  const bash = new Bash({ commands: [] });
  const counts = { chars: 0 };
  const parse = (script: string) => {
    counts.chars += script.length;
    bash.transform(script);
  };
  return { scripts: new ScriptReader(parse), counts };
}

/** The scripts of a text whose lines all wait from the beginning, and what is left of it. */
function scriptsOf(lines: string[]): { complete: string[]; left: string; parsedChars: number } {
  const { scripts, counts } = reader();
  const complete: string[] = [];
  const queue = [...lines];
  for (let line = queue.shift(); line !== undefined; line = queue.shift()) {
    const done = scripts.add(line, queue.length > 0);
    if (!done) continue;
    complete.push(done.script);
    queue.unshift(...done.rest);
  }
  return { complete, left: scripts.end(), parsedChars: counts.chars };
}

it("ends a script where its construct ends", () => {
  const { complete, left } = scriptsOf([
    "echo 1",
    "if true",
    "then echo 2",
    "fi",
    "cat <<A; cat <<-'B-1'",
    "if",
    "A",
    "x",
    "\tB-1",
    "echo a \\",
    "b",
    "true &&",
    "echo 3",
    "echo $((1<<x))",
    "cat <<<w",
    "for n in 1; do",
  ]);
  assert.deepEqual(complete, [
    "echo 1\n",
    "if true\nthen echo 2\nfi\n",
    "cat <<A; cat <<-'B-1'\nif\nA\nx\n\tB-1\n",
    "echo a \\\nb\n",
    "true &&\necho 3\n",
    "echo $((1<<x))\n",
    "cat <<<w\n",
  ]);
  assert.equal(left, "for n in 1; do\n");
});

it("parses a long script about as often as it doubles, and splits it behind its end", () => {
  const body = Array.from({ length: 2_000 }, (_, n) => `  echo line ${n}`);
  const lines = ["f() {", ...body, "}", "cat", "first", "second"];
  const size = lines.join("\n").length;
  const { complete, parsedChars } = scriptsOf(lines);
  assert.deepEqual(
    complete.map((script) => script.split("\n").length - 1),
    [2_002, 1, 1, 1],
  );
  assert.ok(parsedChars < 40 * size, `${parsedChars / size} times its size`);
});

it("says when a script without an end is too long", () => {
  const { scripts } = reader();
  scripts.add("cat <<END", true);
  scripts.add("x".repeat(1_048_500), true);
  assert.equal(scripts.isTooLong, false);
  scripts.add("y".repeat(100), true);
  assert.equal(scripts.isTooLong, true);
  assert.equal(scripts.isEmpty, false);
});
