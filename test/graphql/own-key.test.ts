// A Pod's own key over GraphQL: what command lines inside of Pods send to stop or remove them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { given } from "../given.ts";
import { fakeHouse, podsOf, until } from "../pods/stage.ts";
import { post } from "./ask.ts";

test("a Pod's own key reads, stops and deletes its Pod, and opens nothing else", async (t) => {
  const house = await fakeHouse(t);
  const make = async () => {
    const body = { driver: "fake", imageName: "i", computeType: "CPU" };
    const { id } = (await house.call("POST", "/v1/pods", body)).json;
    await until(podsOf(house).reached, id);
    return id as string;
  };
  const [id, other] = [await make(), await make()];
  const { env } = given(house, id)!;
  const own = { authorization: `Bearer ${env.RUNPOD_API_KEY}` };
  const send = (query: string) => post(house, query, undefined, own);
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
  const gone = await send(`mutation { podTerminate(input: {podId: "${id}"}) }`);
  assert.deepEqual(gone.json, { data: { podTerminate: null } });
  assert.equal((await podsOf(house).get(other)).desiredStatus, "RUNNING");
});
