import assert from "node:assert/strict";
import { test } from "node:test";
import { Gathering } from "./gathering.ts";

/** Calls that are queued at first, and those that come in each pass of the event loop. */
interface Queue {
  first: number;
  arrivals?: number[];
  passMs?: number;
}

/** After each batch of as many calls as are queued, others wait; returns the passes that each batch waited. */
async function passesOf(answered: number, waiting: number, queues: Queue[]): Promise<number[]> {
  const waited: number[] = [];
  let [queued, passes, now] = [0, 0, 0];
  let queue: Queue = { first: 0 };
  const pass = async () => {
    queued += queue.arrivals?.[passes] ?? 0;
    passes++;
    now += queue.passMs ?? 0;
  };
  const gathering = new Gathering(pass, () => now);
  gathering.expect(answered, waiting);
  for (queue of queues) {
    [queued, passes] = [queue.first, 0];
    await gathering.wait(() => queued);
    waited.push(passes);
  }
  return waited;
}

const alone = { first: 1 };
const rows: [name: string, expected: [number, number], queues: Queue[], passes: number[]][] = [
  ["a single caller", [1, 0], [alone, alone], [0, 0]],
  ["as many as before", [2, 2], [{ first: 4 }], [0]],
  ["callers that come again", [2, 2], [{ first: 2, arrivals: [0, 1, 0, 1, 1] }], [4]],
  ["some that do not", [4, 0], [{ first: 1, arrivals: [1, 0, 1] }], [103]],
  ["passes that take long", [9, 0], [{ first: 1, arrivals: [1, 1, 1, 1, 1], passMs: 0.1 }], [3]],
  [
    "waits in vain, fewer and fewer, until one is not",
    [2, 0],
    [alone, alone, alone, alone, alone, alone, { first: 1, arrivals: [1] }, alone],
    [100, 0, 100, 0, 0, 0, 1, 100],
  ],
];

for (const [name, [answered, waiting], queues, passes] of rows) {
  test(`a batch waits for ${name}`, async () => {
    assert.deepEqual(await passesOf(answered, waiting, queues), passes);
  });
}
