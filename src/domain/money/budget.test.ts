import assert from "node:assert/strict";
import { test } from "node:test";
import { type Budget, budgetState, nextChange, spentText, warningText } from "./budget.ts";

const HOUR = 3_600_000;
const now = Date.parse("2027-03-10T10:15:00Z");
const budget: Budget = {
  id: "b",
  accountId: "a",
  name: "",
  labels: {},
  scope: "account",
  subjectId: "",
  period: "day",
  limit: 5_000_000,
  warnedAt: null,
  warnedUntil: null,
  spentAt: null,
  spentUntil: null,
  createdAt: 0,
};

test("a budget warns from 80% on and is spent at its limit", () => {
  const states = [-1, 0, 3_999_999, 4_000_000, 4_999_999, 5_000_000, 9_000_000].map((spent) =>
    budgetState(budget.limit, spent),
  );
  assert.deepEqual(states, ["ok", "ok", "ok", "warning", "warning", "spent", "spent"]);
  assert.deepEqual([budgetState(1, 0), budgetState(1, 1)], ["ok", "spent"]);
});

test("a budget is due when its period ends, or when it would be spent at the current rate", () => {
  const midnight = Date.parse("2027-03-11T00:00:00Z");
  const table: [spent: number, perHour: number, at: number | null][] = [
    [0, 0, null],
    [0, 1_000_000, now + 4 * HOUR],
    [4_000_000, 1_000_000, now + HOUR],
    [4_000_000, 0, midnight],
    [5_000_000, 1_000_000, midnight],
    [0, 1, midnight],
    [1, 3, midnight],
  ];
  for (const [spent, perHour, at] of table) {
    assert.equal(nextChange(budget, { spent, perHour }, now), at, `${spent} ${perHour}`);
  }
});

test("a budget's state has a sentence", () => {
  assert.equal(spentText(budget), "the account's budget b of 5 dollars per day is spent");
  const named = { ...budget, name: "tests", scope: "key" as const, limit: 1_500_000 };
  assert.equal(
    warningText(named),
    "80% of its key's budget b (tests) of 1.5 dollars per day are spent; with the rest this is stopped",
  );
});
