import assert from "node:assert/strict";
import { test } from "node:test";
import { type PodEvent, podMove, podMoves, podStates } from "./moves.ts";

const events = Object.keys(podMoves.RUNNING) as PodEvent[];

test("every state answers every event", () => {
  for (const state of podStates) {
    assert.deepEqual(Object.keys(podMoves[state]), events);
    for (const event of events) {
      const to = podMove(state, event);
      assert.ok(to === null || to === "same" || podStates.includes(to), `${state} ${event}`);
    }
  }
});

test("a terminated Pod stays terminated", () => {
  for (const event of events) assert.equal(podMove("TERMINATED", event), null);
});

test("a Pod can be deleted once", () => {
  assert.deepEqual(
    podStates.filter((state) => podMove(state, "delete") === "TERMINATED"),
    ["RUNNING", "EXITED"],
  );
});

test("stop and start are idempotent; only start leads from EXITED to RUNNING", () => {
  assert.deepEqual([podMove("RUNNING", "start"), podMove("EXITED", "stop")], ["same", "same"]);
  const starting = events.filter((event) => podMove("EXITED", event) === "RUNNING");
  assert.deepEqual(starting, ["start"]);
});
