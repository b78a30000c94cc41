import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isTerminal,
  type JobEvent,
  jobMove,
  jobMoves,
  jobStates,
  statesVisibleAs,
  visibleState,
} from "./moves.ts";

const events = Object.keys(jobMoves.IN_QUEUE) as JobEvent[];
const statesAllowing = (event: JobEvent) =>
  jobStates.filter((state) => jobMove(state, event) !== null);

test("every state handles every event, with a state or an explicit rejection", () => {
  for (const state of jobStates) {
    assert.deepEqual(Object.keys(jobMoves[state]), events);
    for (const event of events) {
      const next = jobMove(state, event);
      assert.ok(next === null || jobStates.includes(next), `${state} by ${event}`);
    }
  }
});

test("only a retry leaves a terminal state, and only FAILED and TIMED_OUT", () => {
  for (const state of jobStates.filter(isTerminal)) {
    const ways = events.filter((event) => jobMove(state, event) !== null);
    assert.deepEqual(
      ways,
      state === "FAILED" || state === "TIMED_OUT" ? ["retry", "retryHeld"] : [],
    );
  }
});

test("a client can always end a live job", () => {
  assert.deepEqual(statesAllowing("cancel"), ["DELAYED", "IN_QUEUE", "IN_PROGRESS"]);
});

test("a result counts in every live state", () => {
  assert.deepEqual(statesAllowing("complete"), ["DELAYED", "IN_QUEUE", "IN_PROGRESS"]);
});

test("a delayed job is claimed only after its release, and clients see it IN_QUEUE", () => {
  assert.equal(jobMove("DELAYED", "take"), null);
  assert.equal(jobMove("DELAYED", "release"), "IN_QUEUE");
  assert.deepEqual(statesAllowing("release"), ["DELAYED"]);
  assert.deepEqual(statesAllowing("backOff"), ["IN_PROGRESS"]);
  assert.deepEqual(statesVisibleAs("IN_QUEUE"), ["DELAYED", "IN_QUEUE"]);
  for (const state of jobStates.filter((each) => each !== "DELAYED")) {
    assert.equal(visibleState(state), state);
  }
});

test("only running and retried jobs are queued again", () => {
  assert.deepEqual(statesAllowing("lose"), ["IN_PROGRESS"]);
  assert.deepEqual(statesAllowing("requeue"), ["IN_PROGRESS"]);
  assert.deepEqual(statesAllowing("retry"), ["FAILED", "TIMED_OUT"]);
});
