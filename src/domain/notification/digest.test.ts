import assert from "node:assert/strict";
import { test } from "node:test";
import { digestText, messageAt } from "./digest.ts";
import { accountEvent } from "./event.ts";

const timing = { gatherMs: 2_000, intervalMs: 60_000 };

for (const [oldestAt, notifiedAt, at, why, now = oldestAt] of [
  [10_000, null, 12_000, "the first event waits for others"],
  [10_000, 5_000, 65_000, "the rule sent a message a moment ago"],
  [100_000, 5_000, 102_000, "the rule has been silent"],
  [10_000, 3_600_000, 12_000, "the clock was set back since the last message"],
  [3_600_000, 3_590_000, 10_000, "the clock was set back since the event", 10_000],
] as const) {
  test(`${why}: an event of ${oldestAt} is sent at ${at}`, () => {
    assert.equal(messageAt({ oldestAt, notifiedAt }, timing, now), at);
  });
}

const ended = (n: number) =>
  accountEvent({
    type: "pod_ended",
    at: Date.parse("2026-03-01T12:00:00Z") + n,
    summary: `Pod p${n} finished with exit code 0.`,
    resource: { type: "pod", id: `p${n}`, name: "" },
    details: {},
  });

test("one event is its own title", () => {
  const { title, lines } = digestText("On call", [ended(1)], null);
  assert.equal(title, "Pod p1 finished with exit code 0.");
  assert.deepEqual(lines, ["2026-03-01 12:00:00 UTC  Pod p1 finished with exit code 0."]);
});

test("with the console's address, an event links to its page", () => {
  const { lines } = digestText("On call", [ended(1)], "https://cloud.example.org/");
  assert.match(lines[0]!, /exit code 0\. https:\/\/cloud\.example\.org\/pods\/p1$/);
});

test("many events are counted by type, and the first 20 are listed", () => {
  const events = Array.from({ length: 500 }, (_, n) => ended(n));
  const other = { ...ended(0), type: "budget_spent" } as const;
  const { title, lines } = digestText("On call", [...events, other], null);
  assert.equal(title, "On call: 501 events (500 pod_ended, 1 budget_spent)");
  assert.equal(lines.length, 21);
  assert.equal(lines.at(-1), "... and 481 more");
});

test("the same fact has the same id, and another one another", () => {
  assert.equal(ended(1).id, ended(1).id);
  assert.match(ended(1).id, /^evt_[0-9a-f]{24}$/);
  assert.notEqual(ended(1).id, ended(2).id);
  assert.notEqual(accountEvent({ ...ended(1), resolved: true }).id, ended(1).id);
});
