import assert from "node:assert/strict";
import { test } from "node:test";
import { isTerminal, type JobEvent, jobMove, jobMoves, jobStates } from "./moves.ts";

const events = Object.keys(jobMoves.IN_QUEUE) as JobEvent[];
const statesAllowing = (event: JobEvent) =>
  jobStates.filter((state) => jobMove(state, event) !== null);

test("every state answers every event, with a state or an explicit no", () => {
  for (const state of jobStates) {
    assert.deepEqual(Object.keys(jobMoves[state]), events);
    for (const event of events) {
      const next = jobMove(state, event);
      assert.ok(next === null || jobStates.includes(next), `${state} by ${event}`);
    }
  }
});

test("a terminal job is left by retry alone, and only from FAILED and TIMED_OUT", () => {
  for (const state of jobStates.filter(isTerminal)) {
    const ways = events.filter((event) => jobMove(state, event) !== null);
    assert.deepEqual(ways, state === "FAILED" || state === "TIMED_OUT" ? ["retry"] : []);
  }
});

test("a live job can always be ended by its client", () => {
  assert.deepEqual(statesAllowing("cancel"), ["IN_QUEUE", "IN_PROGRESS"]);
});

test("a result counts from wherever the job still lives", () => {
  assert.deepEqual(statesAllowing("complete"), ["IN_QUEUE", "IN_PROGRESS"]);
});

test("what goes back to the queue was in progress, or is retried", () => {
  assert.deepEqual(statesAllowing("lose"), ["IN_PROGRESS"]);
  assert.deepEqual(statesAllowing("giveBack"), ["IN_PROGRESS"]);
  assert.deepEqual(statesAllowing("retry"), ["FAILED", "TIMED_OUT"]);
});
