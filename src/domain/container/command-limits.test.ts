import assert from "node:assert/strict";
import { test } from "node:test";
import { commandLimitErrors, containerCommandErrors } from "./command-limits.ts";

const LONGEST_PROGRAM = "p".repeat(4_096);
const LONGEST_WORD = "w".repeat(131_071);

test("a command may be as long as Linux can execute, counted in bytes", () => {
  const table: [entrypoint: string[], command: string[], errors: RegExp[]][] = [
    [[], [], []],
    [[LONGEST_PROGRAM], [LONGEST_WORD], []],
    [[], [LONGEST_PROGRAM, LONGEST_WORD], []],
    [["sh", LONGEST_WORD], ["p".repeat(4_097)], []],
    [["p".repeat(4_097)], [], [/^"dockerEntrypoint" begins with a word of 4097 bytes; .* 4096\.$/]],
    [[], ["p".repeat(4_097)], [/^"dockerStartCmd" begins .* 4097 bytes/]],
    [[], ["é".repeat(2_049)], [/4098 bytes/]],
    [["sh"], ["-c", `${LONGEST_WORD}w`], [/^"dockerStartCmd" has a word of 131072 bytes/]],
    [["sh"], Array(15).fill(LONGEST_WORD), []],
    [
      ["sh", ...Array(8).fill(LONGEST_WORD)],
      Array(8).fill(LONGEST_WORD),
      [/^"dockerEntrypoint" and "dockerStartCmd" together have 2097291 bytes/],
    ],
    [
      [],
      Array(300_000).fill(""),
      [/together have 2700000 bytes, with 9 more for each word; a command has at most 2097152\.$/],
    ],
    [["sh", `${LONGEST_WORD}w`], [`${LONGEST_WORD}w`], [/"dockerEntrypoint"/, /"dockerStartCmd"/]],
  ];
  for (const [dockerEntrypoint, dockerStartCmd, expected] of table) {
    const errors = containerCommandErrors({ dockerEntrypoint, dockerStartCmd });
    assert.equal(errors.length, expected.length, errors.join(" "));
    for (const [n, pattern] of expected.entries()) assert.match(errors[n]!, pattern);
  }
  assert.match(commandLimitErrors(["command", ["p".repeat(4_097)]])[0]!, /^"command" begins/);
  assert.match(commandLimitErrors(["command", Array(300_000).fill("")])[0]!, /^"command" has/);
});
