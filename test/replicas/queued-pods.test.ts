// Tests of Pods in line with two replicas on one store: each request becomes one Pod, or none once it is deleted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { missing } from "../postgres/database.ts";
import { startPair } from "./pair.ts";

const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 2}' };
const POD = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], volumeInGb: 0 };
/** GPUs of both replicas' machines. */
const ROOM = 4;
const REQUESTS = 8;

test("requests that wait become one Pod each, on two replicas", { skip: missing }, async (t) => {
  const { a, b } = await startPair(t, { drivers: "simulated", env });
  const on = (n: number) => (n % 2 === 0 ? a : b);
  const list = async (): Promise<{ id: string; machineId: string; status: string }[]> =>
    (await a.call("GET", "/v1/pods")).json;
  const running = async () => (await list()).filter(({ machineId }) => machineId !== "");
  const waiting = async () => (await list()).filter(({ status }) => status === "QUEUED");

  // All ask at once: so many are created as there is room for.
  const answers = await Promise.all(
    Array.from({ length: REQUESTS }, (_, n) =>
      on(n).call("POST", "/v1/pods", { ...POD, name: `${n}`, queue: true }),
    ),
  );
  for (const { status, text } of answers) assert.equal(status, 201, text);
  const ids = new Set(answers.map(({ json }) => json.id as string));
  assert.equal(ids.size, REQUESTS);
  await until(async () => (await running()).length === ROOM);
  assert.equal((await waiting()).length, REQUESTS - ROOM);

  // Half of the rest is deleted while room is made for them.
  const queued = await waiting();
  const cancelled = queued.filter((_, n) => n % 2 === 0);
  const removed = (await running()).slice(0, 2);
  const deletions = await Promise.all(
    [...cancelled, ...removed].map(({ id }, n) => on(n).call("DELETE", `/v1/pods/${id}`)),
  );
  for (const { status, text } of deletions) assert.equal(status, 204, text);
  await until(async () => (await running()).length === ROOM);
  const remaining = await list();
  assert.equal(remaining.length, REQUESTS - deletions.length);
  assert.equal(new Set(remaining.map(({ id }) => id)).size, remaining.length);
  for (const { id } of remaining) {
    const events = (await b.call("GET", `/v1/pods/${id}/events`)).json;
    const creations = events.filter(({ event }: { event: string }) => event === "created");
    assert.deepEqual([creations.length, ids.has(id)], [1, true]);
  }
});
