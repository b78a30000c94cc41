// Commands as one text: how a line is split, and that writing and reading any command gives it again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type ContainerCommand, readDockerArgs, writeDockerArgs } from "./docker-args.ts";

// The words are those of google/shlex at e7afc7fbc510, unless it fails.
const rows: [line: string, words: string[]][] = [
  ["", []],
  [" \t\r\n", []],
  ["  sleep   infinity ", ["sleep", "infinity"]],
  [`bash -c 'a "b" c'`, ["bash", "-c", 'a "b" c']],
  ['--name="two words" ""', ["--name=two words", ""]],
  [String.raw`bash -c "python3 -c \"print(1)\""`, ["bash", "-c", 'python3 -c "print(1)"']],
  [String.raw`echo a\ b c`, ["echo", "a b", "c"]],
  [String.raw`a\"b \' "\n\\" '\n'`, ['a"b', "'", "n\\", "\\n"]],
  ["a\\\nb \\\n", ["a\nb", "\n"]],
  ["echo hi # later", ["echo", "hi"]],
  ["# first\necho 'a # b' c#d \"#e\" #", ["echo", "a # b", "c#d", "#e"]],
  ["a\u00a0b\vc", ["a\u00a0b\vc"]],
  [`a'b'"c"\\d`, ["abcd"]],
  ["$HOME `x` a|b;c > *", ["$HOME", "`x`", "a|b;c", ">", "*"]],
  // Quotes that do not close, and a backslash at the end.
  ["echo it's  fine", ["echo", "it's", "fine"]],
  ['say "a b\u00a0c', ["say", '"a', "b", "c"]],
  ["a 'b' \\", ["a", "'b'", "\\"]],
  // A JSON object of other names is a line.
  ['{"cmd":["a"],"x":1}', ["{cmd:[a],x:1}"]],
  ['["a", "b"]', ["[a,", "b]"]],
];

for (const [line, words] of rows) {
  test(`the line ${JSON.stringify(line)} has ${words.length} words`, () => {
    assert.deepEqual(readDockerArgs(line), { dockerStartCmd: words });
  });
}

test("a JSON object is read before a line", () => {
  const command = { cmd: ["echo", "# 'x"], entrypoint: ["tini", "--"] };
  assert.deepEqual(readDockerArgs(` ${JSON.stringify(command)}`), {
    dockerStartCmd: command.cmd,
    dockerEntrypoint: command.entrypoint,
  });
  assert.deepEqual(readDockerArgs('{"cmd":["a"]}'), { dockerStartCmd: ["a"] });
  assert.deepEqual(readDockerArgs('{"entrypoint":[]}'), { dockerEntrypoint: [] });
});

const SEED = 20271128;

test(`writing and reading any command gives it again (seed ${SEED})`, () => {
  const random = randomNumbers(SEED);
  const parts = [
    ..." \t\r\n\v\u00a0\ufeff\"'\\#{}[]$`:,ab\u0000é😀\ud800",
    '{"cmd":["a"]}',
    "\\\\",
    '\\"',
  ];
  const word = () => Array.from({ length: random(6) }, () => parts[random(parts.length)]).join("");
  for (let round = 0; round < 20_000; round++) {
    const command: ContainerCommand = {
      dockerStartCmd: Array.from({ length: random(5) }, word),
      dockerEntrypoint: random(4) === 0 ? Array.from({ length: 1 + random(3) }, word) : [],
    };
    const text = writeDockerArgs(command);
    assert.deepEqual({ dockerEntrypoint: [], ...readDockerArgs(text) }, command, text);
  }
});

/** A linear congruential generator: whole numbers from 0 to below a limit. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
}
