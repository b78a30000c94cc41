import assert from "node:assert/strict";
import { test } from "node:test";
import { SharedTrips } from "./shared-trips.ts";

test("what is asked while a trip is under way shares the next one, and each gets its own answer", async () => {
  const trips: number[][] = [];
  const shared = new SharedTrips<number, string>(async (asks) => {
    trips.push(asks);
    await new Promise((resolve) => setImmediate(resolve));
    if (asks.includes(9)) throw new Error("lost");
    return asks.map(String);
  });
  const first = [shared.ask(1), shared.ask(2)];
  assert.deepEqual(await Promise.all(first), ["1", "2"]);
  const lost = shared.ask(9);
  await new Promise((resolve) => setImmediate(resolve));
  const later = shared.ask(3);
  await assert.rejects(lost, /lost/);
  assert.equal(await later, "3");
  assert.deepEqual(trips, [[1, 2], [9], [3]]);
});
