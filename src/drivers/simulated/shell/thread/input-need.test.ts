import assert from "node:assert/strict";
import { test } from "node:test";
import { readsInput } from "./input-need.ts";

test("a script reads its input where the first command of a pipeline does, without a file", () => {
  const readers = [
    "cat",
    "cat -",
    "wc -l",
    "read -r a; echo $a",
    "cd /tmp && tee f",
    "grep x",
    "sed s/a/b/ | sort",
    "while read -r l; do echo $l; done",
    "A=1 sort",
    "x=$(cat)",
    "bash -s",
    "bash -c 'cat'",
    "head -n 3",
  ];
  const others = [
    "cat f",
    "echo a | cat",
    "cat < f",
    "head -n 3 f",
    "tail -f f",
    "grep x f",
    "grep -r x",
    "ls; ps",
    "awk 'BEGIN{print 1}'",
    "jq -n 1",
    "echo cat",
    "bash f",
    "bash -c 'cat f'",
    "sort -k 2 f > g",
  ];
  assert.deepEqual(
    readers.filter((script) => !readsInput(script)),
    [],
  );
  assert.deepEqual(others.filter(readsInput), []);
});
