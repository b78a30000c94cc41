// Engines with wrong clocks: which times the store gets, and what the log says.

import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import { VirtualClock } from "../../base/clock.ts";
import { MINUTE_MS } from "../../base/units.ts";
import type { Observation } from "../../drivers/driver.ts";
import type { Store } from "../../store/engine/store.ts";
import { ReportedTimes } from "./reported-times.ts";

const running = { id: "pod", endedAt: null, exitCode: null, signal: null };
const ended = { id: "pod", state: "ended" as const, exitCode: 0, signal: null };

/** A container that is pulled for 40 s and runs for 20 s, on an engine whose clock is off by `skewMs`. */
async function observe(skewMs: number, afterPass = async (_: ReportedTimes) => {}) {
  const clock = new VirtualClock();
  const recorded: number[] = [];
  const lines: string[] = [];
  const store = { write: async (...args: unknown[]) => void recorded.push(args.at(-1) as number) };
  const times = new ReportedTimes({
    store: store as unknown as Store,
    clock,
    machine: "m",
    log: pino({}, { write: (line) => void lines.push(JSON.parse(line).msg) }),
  });
  const requestedAt = clock.now();
  const pass = async (observation: Observation, startedAt: number | null) => {
    const known = { requestedAt: startedAt === null ? requestedAt : null };
    const knownOf = () => ({ ...known, startedAt: startedAt ?? requestedAt });
    const [corrected] = await times.correct("docker", [observation], knownOf, clock.now());
    await afterPass(times);
    return corrected!;
  };
  await clock.advance(40_000);
  const reported = { startedAt: clock.now() + skewMs };
  await clock.advance(500);
  const { startedAt } = await pass({ ...running, ...reported, state: "running" }, null);
  for (let n = 0; n < 20; n++) {
    await clock.advance(1_000);
    await pass({ ...running, ...reported, state: "running" }, startedAt);
  }
  const end = { endedAt: clock.now() + skewMs };
  await clock.advance(500);
  // The end is reported until it is recorded.
  await pass({ ...ended, ...reported, ...end }, startedAt);
  const { endedAt } = await pass({ ...ended, ...reported, ...end }, startedAt);
  const after = { startedMs: startedAt - requestedAt, endedMs: endedAt! - requestedAt };
  return { ...after, recorded, lines };
}

test("a right clock is taken at its word", async () => {
  const { startedMs, endedMs, recorded, lines } = await observe(0);
  assert.deepEqual([startedMs, endedMs, recorded, lines], [40_000, 60_500, [], []]);
});

test("an engine whose clock is ahead is billed from its first observation, and the log says so once", async () => {
  const { startedMs, endedMs, recorded, lines } = await observe(10 * MINUTE_MS);
  assert.deepEqual([startedMs, endedMs], [40_500, 61_000]);
  assert.deepEqual(recorded, [10 * MINUTE_MS - 500]);
  assert.match(
    lines.join("\n"),
    /^its clock is at least .* ahead of the service's; synchronize it/,
  );
});

test("an engine whose clock is behind refunds nothing that was seen to run", async () => {
  const { startedMs, endedMs, recorded, lines } = await observe(-10 * MINUTE_MS);
  assert.deepEqual([startedMs, endedMs], [0, 60_500]);
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /behind the service's/);
  assert.ok(recorded[0]! < -9 * MINUTE_MS);
});

test("a driver without containers forgets nothing of another's", async () => {
  const listNothing = (times: ReportedTimes) =>
    times.correct("process", [], () => null, 0).then(() => {});
  const { endedMs } = await observe(-10 * MINUTE_MS, listNothing);
  assert.equal(endedMs, 60_500);
});
