import assert from "node:assert/strict";
import { test } from "node:test";
import { type JobTimes, jobStory } from "./story.ts";

const T = 1_000_000;
const job: JobTimes = {
  id: "6f0c",
  state: "COMPLETED",
  submittedAt: T,
  queuedAt: T,
  startAt: null,
  dueAt: null,
  takenAt: T + 1_912,
  finishedAt: T + 2_132,
  error: null,
  cost: 0,
  worker: null,
  attempts: [],
};
const lost = {
  workerId: "w-1",
  takenAt: T + 5,
  endedAt: T + 40_005,
  outcome: "its worker stopped calling",
};

const rows: [story: string, desired: Partial<JobTimes>][] = [
  [
    "queued 12 ms, worker started 1.9 s, ran 220 ms, COMPLETED",
    { worker: { createdAt: T + 12, readyAt: T + 1_912 } },
  ],
  ["queued 1.9 s, ran 220 ms, COMPLETED", { worker: { createdAt: T - 9, readyAt: T } }],
  ["queued 1.9 s, ran 220 ms, COMPLETED", {}],
  ["queued 1.9 s, ran 220 ms, cost 0.000042 dollars, COMPLETED", { cost: 42 }],
  ["queued 2.1 s, CANCELLED: cancelled by a client", ended("CANCELLED", "cancelled by a client")],
  ["queued 7 s so far, IN_QUEUE", { state: "IN_QUEUE", takenAt: null, finishedAt: null }],
  ["queued 1.9 s, running 5.1 s so far, IN_PROGRESS", { state: "IN_PROGRESS", finishedAt: null }],
  [
    "queued 5 ms, back from w-1 after 40 s (its worker stopped calling), queued 1 s, ran 1 s, " +
      "FAILED: first line",
    {
      state: "FAILED",
      error: "first line\nsecond line",
      attempts: [lost],
      queuedAt: T + 40_005,
      takenAt: T + 41_005,
      finishedAt: T + 42_005,
    },
  ],
];

function ended(state: "CANCELLED", error: string): Partial<JobTimes> {
  return { state, error, takenAt: null };
}

for (const [story, desired] of rows) {
  test(story, () => {
    assert.equal(jobStory({ ...job, ...desired }, T + 7_000), `job 6f0c  ${story}`);
  });
}

test("an SDK's exception is reported by its type and message", () => {
  const error = JSON.stringify({ error_type: "<class 'KeyError'>", error_message: "'seed'\nmore" });
  const story = jobStory({ ...job, state: "FAILED", error }, T);
  assert.ok(story.endsWith(", FAILED: KeyError: 'seed'"), story);
});

test("a long error is cut short", () => {
  const story = jobStory({ ...job, state: "FAILED", error: "x".repeat(500) }, T);
  assert.ok(story.length < 220 && story.endsWith("..."));
});
