// Tests of the clock that follows the database's clock.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { VirtualClock } from "./clock.ts";
import { DisciplinedClock } from "./disciplined-clock.ts";

/** A machine with arbitrary ticks, and a database whose time is right. */
function setUp({ ticks = 5_000, time = 1_800_000_000_000 } = {}) {
  const state = { ticks, time };
  const advance = (ms: number) => {
    state.ticks += ms;
    state.time += ms;
  };
  /** The request takes `requestMs`, the answer `answerMs`. */
  const measure = (requestMs = 0, answerMs = 0) => {
    const requestedAt = state.ticks;
    advance(requestMs);
    const answer = state.time;
    advance(answerMs);
    return { requestedAt, time: answer, answeredAt: state.ticks };
  };
  const clock = new DisciplinedClock(() => state.ticks, new VirtualClock(), measure());
  return { state, advance, measure, clock };
}

test("it shows the database's time, regardless of this machine's clock", () => {
  const { state, advance, clock } = setUp();
  assert.equal(clock.now(), state.time);
  advance(12_345);
  assert.equal(clock.now(), state.time);
});

test("half of the round trip is taken into account", () => {
  const { state, measure, advance, clock } = setUp();
  clock.adjust(measure(40, 40));
  advance(10);
  assert.equal(clock.now(), state.time);
});

test("a slow response moves it only as far as the measurement proves", () => {
  const { state, measure, clock } = setUp();
  clock.adjust(measure(0, 2_000));
  assert.equal(clock.now(), state.time);
  clock.adjust(measure(2_000, 0));
  assert.equal(clock.now(), state.time);
});

test("drift of the ticks is corrected, and time does not go backward", () => {
  const { state, measure, advance, clock } = setUp();
  advance(60_000);
  state.ticks += 30; // this machine runs fast
  assert.equal(clock.now(), state.time + 30);
  clock.adjust(measure());
  assert.equal(clock.now(), state.time + 30);
  advance(29);
  assert.equal(clock.now(), state.time + 1);
  advance(2);
  assert.equal(clock.now(), state.time);
});

test("a large step back of the database's clock is followed", () => {
  const { state, measure, clock } = setUp();
  clock.now();
  state.time -= 600_000;
  clock.adjust(measure());
  assert.equal(clock.now(), state.time);
});

test("it is never wrong by more than half a round trip", () => {
  const trip = fc.integer({ min: 0, max: 5_000 });
  const steps = fc.array(fc.tuple(trip, trip, fc.integer({ min: 0, max: 60_000 })), {
    minLength: 1,
  });
  fc.assert(
    fc.property(steps, (all) => {
      const { state, measure, advance, clock } = setUp();
      for (const [there, back, ms] of all) {
        clock.adjust(measure(there, back));
        advance(ms);
        assert.ok(Math.abs(clock.now() - state.time) <= 1);
      }
    }),
  );
});
