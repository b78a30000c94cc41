// The invariant of loops, on counts of passes that a test makes up.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Simulation } from "../model.ts";
import { loopInvariants } from "./loops.ts";

/** Checks after each of the counts, one per replica that serves, 200 seconds apart. */
async function checkAll(...checks: number[][]): Promise<void> {
  const [invariant] = loopInvariants();
  for (const [n, counts] of checks.entries()) {
    const serving = counts.map((count) => ({ running: { origin: String(count) } }));
    const send = async (url: string) => ({
      text: `freehold_loop_turns_total{loop="meter"} ${url.split("/")[0]}`,
    });
    const world = { serving, router: { send }, key: "", ticks: n * 200_000, orderlySinceTicks: 0 };
    await invariant!({ world } as unknown as Simulation);
  }
}

test("a loop without another pass is a violation", async () => {
  await checkAll([7, 7], [7, 8], [8, 8]);
  await assert.rejects(checkAll([7, 7], [7, 7]), /meter after 7 \+ 7 passes/);
});

test("as many passes as two replicas had before one was cut off are new passes", async () => {
  await checkAll([7, 7], [14], [15]);
});
