import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { VirtualClock } from "./clock.ts";
import { DisciplinedClock } from "./disciplined-clock.ts";

/** A machine whose ticks began anywhere, and a database whose time is the true one. */
function begin({ ticks = 5_000, time = 1_800_000_000_000 } = {}) {
  const world = { ticks, time };
  const pass = (ms: number) => {
    world.ticks += ms;
    world.time += ms;
  };
  /** The question takes `there` ms, the answer `back`. */
  const measure = (there = 0, back = 0) => {
    const askedAt = world.ticks;
    pass(there);
    const answer = world.time;
    pass(back);
    return { askedAt, time: answer, answeredAt: world.ticks };
  };
  const clock = new DisciplinedClock(() => world.ticks, new VirtualClock(), measure());
  return { world, pass, measure, clock };
}

test("it shows the database's time, whatever this machine holds for the time", () => {
  const { world, pass, clock } = begin();
  assert.equal(clock.now(), world.time);
  pass(12_345);
  assert.equal(clock.now(), world.time);
});

test("half of the way there and back is allowed for", () => {
  const { world, measure, pass, clock } = begin();
  clock.discipline(measure(40, 40));
  pass(10);
  assert.equal(clock.now(), world.time);
});

test("an answer that was long under way moves it by no more than it proves", () => {
  const { world, measure, clock } = begin();
  clock.discipline(measure(0, 2_000));
  assert.equal(clock.now(), world.time);
  clock.discipline(measure(2_000, 0));
  assert.equal(clock.now(), world.time);
});

test("ticks that drift are put right, and time does not go backward", () => {
  const { world, measure, pass, clock } = begin();
  pass(60_000);
  world.ticks += 30; // this machine runs fast
  assert.equal(clock.now(), world.time + 30);
  clock.discipline(measure());
  assert.equal(clock.now(), world.time + 30);
  pass(29);
  assert.equal(clock.now(), world.time + 1);
  pass(2);
  assert.equal(clock.now(), world.time);
});

test("a database whose clock is put back by more is followed: all replicas do", () => {
  const { world, measure, clock } = begin();
  clock.now();
  world.time -= 600_000;
  clock.discipline(measure());
  assert.equal(clock.now(), world.time);
});

test("it is never wrong by more than half a round trip", () => {
  const trip = fc.integer({ min: 0, max: 5_000 });
  const steps = fc.array(fc.tuple(trip, trip, fc.integer({ min: 0, max: 60_000 })), {
    minLength: 1,
  });
  fc.assert(
    fc.property(steps, (all) => {
      const { world, measure, pass, clock } = begin();
      for (const [there, back, ms] of all) {
        clock.discipline(measure(there, back));
        pass(ms);
        assert.ok(Math.abs(clock.now() - world.time) <= 1);
      }
    }),
  );
});
