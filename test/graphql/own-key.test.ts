// Tests of a Pod's own key over GraphQL, as command lines inside Pods use it to stop or remove
// their Pod.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startedWorkload } from "../fixtures/service/started-workloads.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";
import { post } from "./ask.ts";

test("a Pod's own key reads, stops and deletes its Pod, and opens nothing else", async (t) => {
  const service = await simulatedService(t);
  const make = async () => {
    const body = { driver: "simulated", imageName: "i", computeType: "CPU" };
    const { id } = (await service.call("POST", "/v1/pods", body)).json;
    await until(podsOf(service).reached, id);
    return id as string;
  };
  const [id, other] = [await make(), await make()];
  const { env } = startedWorkload(service, id)!;
  const own = { authorization: `Bearer ${env.RUNPOD_API_KEY}` };
  const send = (query: string) => post(service, query, undefined, own);
  const refused = [
    "{ myself { id pods { id } } }",
    `{ pod(input: {podId: "${other}"}) { id } }`,
    `mutation { podStop(input: {podId: "${other}"}) { id } }`,
    `mutation { podTerminate(input: {podId: "${other}"}) }`,
    `mutation { podResume(input: {podId: "${id}"}) { id } }`,
    `mutation { podEditName(input: {podId: "${id}", name: "n"}) { id } }`,
    "{ podTemplates { id } }",
  ];
  for (const query of refused) {
    const answer = await send(query);
    assert.deepEqual([answer.status, answer.json.code], [403, "forbidden"], query);
  }
  assert.equal((await send("{ gpuTypes { id } }")).status, 200);
  const read = await send(`{ pod(input: {podId: "${id}"}) { id desiredStatus } }`);
  assert.deepEqual(read.json, { data: { pod: { id, desiredStatus: "RUNNING" } } });
  const stop = await send(`mutation { podStop(input: {podId: "${id}"}) { desiredStatus } }`);
  assert.deepEqual(stop.json.data.podStop, { desiredStatus: "EXITED" });
  const reply = await send(`mutation { podTerminate(input: {podId: "${id}"}) }`);
  assert.deepEqual(reply.json, { data: { podTerminate: null } });
  assert.equal((await podsOf(service).get(other)).desiredStatus, "RUNNING");
});
