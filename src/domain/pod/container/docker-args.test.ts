import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf } from "./docker-args.ts";

const rows: [line: string, words: string[]][] = [
  ["", []],
  ["  sleep   infinity ", ["sleep", "infinity"]],
  [`bash -c 'a "b" c'`, ["bash", "-c", 'a "b" c']],
  ['--name="two words" ""', ["--name=two words", ""]],
];

for (const [line, words] of rows) {
  test(`the line ${JSON.stringify(line)} has ${words.length} words`, () => {
    assert.deepEqual(commandOf(line), words);
  });
}
