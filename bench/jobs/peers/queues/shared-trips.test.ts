import assert from "node:assert/strict";
import { test } from "node:test";
import { SharedTrips } from "./shared-trips.ts";

test("requests during a round trip share the next one, and each gets its own answer", async () => {
  const trips: number[][] = [];
  const shared = new SharedTrips<number, string>(async (requests) => {
    trips.push(requests);
    await new Promise((resolve) => setImmediate(resolve));
    if (requests.includes(9)) throw new Error("lost");
    return requests.map(String);
  });
  const first = [shared.send(1), shared.send(2)];
  assert.deepEqual(await Promise.all(first), ["1", "2"]);
  const lost = shared.send(9);
  await new Promise((resolve) => setImmediate(resolve));
  const later = shared.send(3);
  await assert.rejects(lost, /lost/);
  assert.equal(await later, "3");
  assert.deepEqual(trips, [[1, 2], [9], [3]]);
});
