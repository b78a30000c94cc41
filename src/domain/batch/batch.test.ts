import assert from "node:assert/strict";
import { test } from "node:test";
import { noText } from "../payload.ts";
import { type Batch, countItems } from "./batch.ts";

const batch: Batch = {
  seq: 1,
  id: "b",
  accountId: "a",
  endpointId: "e",
  state: "PENDING",
  total: 20,
  submitted: 15,
  items: noText,
  bytes: 0,
  webhook: null,
  trace: null,
  reason: null,
  createdAt: 0,
  finishedAt: null,
  deleted: { COMPLETED: 3, FAILED: 1, CANCELLED: 0, TIMED_OUT: 1 },
  endCounts: null,
};
const jobs = new Map([
  ["IN_QUEUE", 2],
  ["DELAYED", 1],
  ["IN_PROGRESS", 1],
  ["COMPLETED", 5],
  ["CANCELLED", 1],
] as const);

test("items that are not yet jobs wait, and deleted jobs count", () => {
  const counts = countItems(batch, jobs);
  const ended = { completed: 8, failed: 1, cancelled: 1, timedOut: 1 };
  assert.deepEqual(counts, { inQueue: 8, inProgress: 1, ...ended });
  assert.equal(
    Object.values(counts).reduce((sum, n) => sum + n),
    batch.total,
  );
});

test("items of a cancelled batch that never became jobs are cancelled", () => {
  const { inQueue, cancelled } = countItems({ ...batch, state: "CANCELLING" }, jobs);
  assert.deepEqual({ inQueue, cancelled }, { inQueue: 3, cancelled: 6 });
});
