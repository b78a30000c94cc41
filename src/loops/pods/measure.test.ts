// The measurement of a machine: how often it is made.

import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import { bareInventory } from "../../../test/fixtures/bare-machine.ts";
import { VirtualClock } from "../../base/clock.ts";
import type { MachineLoad } from "../../domain/machine/load/load.ts";
import { Traffic } from "../../flows/replica/traffic.ts";
import { UsageHistory } from "../../flows/replica/usage-history.ts";
import { Notifier } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { runLoops } from "../engine/loop.ts";
import { measureLoop } from "./measure.ts";

test("a machine is measured once in each period", async () => {
  const clock = new VirtualClock();
  const notifier = new Notifier();
  const log = pino({ level: "silent" });
  const load = new UsageHistory<MachineLoad>();
  const loop = measureLoop({
    clock,
    log,
    load,
    periodMs: 10_000,
    drivers: [],
    traffic: new Traffic(),
    store: { notifier, read: async () => [], write: async () => {} } as unknown as Store,
    machine: { id: "own", inventory: bareInventory },
    book: new UsageHistory(),
    gpuUse: async () => [],
    hostLoad: async () => null,
  });
  const leaderships = { mine: async () => true };
  const running = runLoops([loop], { clock, notifier, log, leaderships });
  await clock.advance(60_000);
  await running.stop();
  const [first, ...others] = load.of("own").map(({ at }) => at);
  assert.deepEqual(
    others.map((at) => (at - first!) / 10_000),
    others.map((_, n) => n + 1),
  );
  assert.ok(others.length >= 5, `${others.length}`);
});
