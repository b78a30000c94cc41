import assert from "node:assert/strict";
import { test } from "node:test";
import type { Workload } from "../../drivers/driver.ts";
import { requireExecutable } from "./require-executable.ts";

const LONGEST = "w".repeat(131_071);

function check(command: string[], env: Record<string, string> = {}): void {
  requireExecutable({ entrypoint: ["sh"], command, env } as unknown as Workload);
}

test("the words and variables of a workload share what Linux can execute", () => {
  check(Array(15).fill(LONGEST));
  check(Array(15).fill(LONGEST), { A: LONGEST.slice(300) });
  assert.throws(
    () => check(Array(15).fill(LONGEST), { A: LONGEST.slice(2) }),
    /the command and the variables have 2097\d{3} bytes together; they have at most 2097152/,
  );
  assert.throws(() => check([], { A: LONGEST }), /the variable "A" has 131073 bytes/);
});
