// Tests of containers that take long to end: what they still use is avoided, and what they had is not shown.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { type PodJson, podsOf, simulatedService } from "./fixture.ts";

const stubborn = {
  driver: "simulated",
  imageName: "i",
  gpuTypeIds: ["NVIDIA A40"],
  dockerStartCmd: ["simulate", "--ignore-stop"],
};
const options = {
  env: { FREEHOLD_GPUS: '{"NVIDIA A40": 3}' },
  protocol: { endGraceMs: 3_600_000 },
};

const RUNTIME = `query ($podId: String!) {
  pod(input: { podId: $podId }) { runtime { uptimeInSeconds ports { publicPort } } } }`;

test("a new Pod gets a GPU that no ending container uses", async (t) => {
  const service = await simulatedService(t, options);
  const create = async () => (await service.call("POST", "/v1/pods", stubborn)).json as PodJson;
  const pods = podsOf(service);
  const first = await create();
  await until(pods.reached, first.id);
  await service.call("POST", `/v1/pods/${first.id}/stop`);
  for (const { id } of [await create(), await create()]) await until(pods.reached, id);
  // Only the GPU that the stopped Pod's container still uses is left; its start waits.
  const last = await create();
  assert.equal(last.desiredStatus, "RUNNING");
  assert.equal((await service.call("POST", "/v1/pods", stubborn)).json.code, "no_capacity");
  assert.equal((await pods.get(last.id)).publicIp, null);
});

test("between a stop and the next container nothing of the old one is shown", async (t) => {
  const service = await simulatedService(t, options);
  const pods = podsOf(service);
  const { json } = await service.call("POST", "/v1/pods", stubborn);
  const running = await until(pods.reached, json.id);
  assert.notDeepEqual(running.portMappings, {});
  for (const move of ["restart", "stop", "start"]) {
    await service.call("POST", `/v1/pods/${json.id}/${move}`);
    const pod = await pods.get(json.id);
    assert.deepEqual([pod.publicIp, pod.portMappings], [null, {}], move);
    const body = { query: RUNTIME, variables: { podId: json.id } };
    const { json: answer } = await service.call("POST", "/graphql", body);
    assert.equal(answer.data.pod.runtime, null, move);
  }
});
