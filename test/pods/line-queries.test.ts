// The queries that read the line of Pods, however long it is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInCatalog } from "../../src/config/catalog/read.ts";
import { heartbeatTimingOf } from "../../src/domain/replica/heartbeat-timing.ts";
import { type LineDeps, readWaiting } from "../../src/flows/queued-pod/line.ts";
import type { Tx } from "../../src/store/engine/statement.ts";
import { join } from "../accounts/join.ts";
import { simulatedService } from "./fixture.ts";

function* countQueries(deps: LineDeps, length: number): Tx<number> {
  const reading = readWaiting(deps, Date.now());
  let count = 0;
  let step = reading.next();
  for (; !step.done; count++) step = reading.next(yield step.value);
  assert.equal(step.value.line.length, length);
  return count;
}

test("a line that is ten times as long is read with as many queries", async (t) => {
  const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 1}' };
  const service = await simulatedService(t, { env, replicas: null });
  const people = [
    await join(service, "member", "ann", "ann@example.org"),
    await join(service, "member", "bob", "bob@example.org"),
  ];
  // The order of two projects needs what they have used.
  for (const { member } of people) {
    const project = { name: member.name, memberIds: [member.id] };
    assert.equal((await service.call("POST", "/v1/projects", project)).status, 201);
  }
  const common = { driver: "simulated", imageName: "i", volumeInGb: 0 };
  const body = { ...common, gpuTypeIds: ["NVIDIA A40"], queue: true };
  assert.equal((await service.call("POST", "/v1/pods", body)).json.queued, undefined);
  const deps = { catalog: builtInCatalog(), heartbeatTiming: heartbeatTimingOf(60_000) };
  const { store } = service.service;
  const enter = async (times: number) => {
    for (let n = 0; n < times; n++) {
      for (const { call } of people) {
        assert.equal((await call("POST", "/v1/pods", body)).json.status, "QUEUED");
      }
    }
  };
  await enter(1);
  const few = await store.read(countQueries, deps, 2);
  await enter(9);
  assert.equal(await store.read(countQueries, deps, 20), few);
});
