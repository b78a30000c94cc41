import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../base/clock.ts";
import { StartSteps } from "./start-steps.ts";

test("a step that takes long is in the log, again and again, until the next one", async () => {
  const clock = new VirtualClock();
  const lines: object[] = [];
  const warn = (facts: object) => void lines.push(facts);
  const steps = new StartSteps({ info: warn, warn, error: warn }, clock);
  steps.enter("opens its store");
  await clock.advance(9_000);
  steps.enter("asks its container engine");
  await clock.advance(9_000);
  assert.deepEqual(lines, []);
  assert.equal(steps.current, "asks its container engine");
  await clock.advance(11_000);
  const line = (seconds: number) => ({ step: "asks its container engine", seconds });
  assert.deepEqual(lines, [line(10), line(20)]);
  steps.end();
  await clock.advance(60_000);
  assert.equal(lines.length, 2);
});
