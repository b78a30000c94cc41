import assert from "node:assert/strict";
import { test } from "node:test";
import { beyond, everything, type Permissions } from "./account.ts";

const some = (changes: Partial<Permissions>): Permissions => ({ ...everything, ...changes });

const cases: [string, Permissions, Permissions, string[]][] = [
  ["all within all", everything, everything, []],
  ["less within all", everything, some({ rest: "none", queue: "read", endpoints: ["a"] }), []],
  ["write beyond read", some({ rest: "read" }), everything, ["write on rest"]],
  ["read beyond none", some({ queue: "none" }), some({ queue: "read" }), ["read on queue"]],
  [
    "all endpoints beyond one",
    some({ endpoints: ["a"] }),
    everything,
    ["the queue of all endpoints"],
  ],
  [
    "another endpoint",
    some({ endpoints: ["a"] }),
    some({ endpoints: ["a", "b"] }),
    ["the queue of b"],
  ],
  ["no queue, no endpoints", some({ endpoints: ["a"] }), some({ queue: "none" }), []],
];

for (const [title, has, desired, expected] of cases) {
  test(title, () => assert.deepEqual(beyond(has, desired), expected));
}
