import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import { Deadline, systemClock } from "../../base/clock.ts";
import { Busy } from "./busy-workloads.ts";

test("a command's outcome is checked once it is over, and later if it failed", async () => {
  const underWay: boolean[] = [];
  const busy: Busy = new Busy(pino({ level: "silent" }), () => underWay.push(busy.now().has("a")));
  busy.run("a", async () => {});
  busy.run("b", async () => {
    throw new Error("no");
  });
  busy.beside("c", async () => {});
  await busy.end(new Deadline(systemClock, 10_000));
  assert.deepEqual(underWay, [false]);
  assert.deepEqual([...busy.now()], []);
});
