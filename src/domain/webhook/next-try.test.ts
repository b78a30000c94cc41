import assert from "node:assert/strict";
import { test } from "node:test";
import { type AfterTry, afterTry, answerError } from "./next-try.ts";

const NOW = 1_000;
const backoffMs = [10, 20];
const delivered: AfterTry = { state: "delivered", nextAt: null };
const failed: AfterTry = { state: "failed", nextAt: null };
const waiting = (nextAt: number): AfterTry => ({ state: "waiting", nextAt });

const rows: [tries: number, answer: number | string, after: AfterTry][] = [
  [1, 200, delivered],
  [1, 204, delivered],
  [3, 299, delivered],
  [1, 199, waiting(1_010)],
  [1, 300, waiting(1_010)],
  [1, 302, waiting(1_010)],
  [1, 500, waiting(1_010)],
  [2, 500, waiting(1_020)],
  [3, 500, failed],
  [1, "connection refused", waiting(1_010)],
  [3, "connection refused", failed],
];

for (const [tries, answer, after] of rows) {
  test(`try ${tries} answered ${answer}: ${after.state}`, () => {
    const outcome =
      typeof answer === "string"
        ? { status: null, error: answer }
        : { status: answer, error: answerError(answer) };
    assert.deepEqual(afterTry(tries, outcome, backoffMs, NOW), after);
  });
}

test("without delays there is one try", () => {
  assert.deepEqual(afterTry(1, { status: 500, error: "it answered 500" }, [], NOW), failed);
});

test("a redirect is reported as not followed", () => {
  assert.match(answerError(302)!, /redirects are not followed/);
  assert.equal(answerError(201), null);
});
