// Serverless workers and Pods share machines, and never a GPU.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rows, type Verb } from "../../src/store/statement.ts";
import { fakeHouse, podsOf, until } from "./stage.ts";

const env = { FREEHOLD_VIRTUAL_GPUS: '{"NVIDIA A40": 3}' };
const template = { driver: "fake" as const, dockerStartCmd: ["fake-worker", "--echo"] };
const pod = { driver: "fake", imageName: "i", gpuTypeIds: ["NVIDIA A40"] };

function* held(): Verb<{ gpu: number; holder: string }[]> {
  return yield* rows("select gpu, holder from held_gpu order by gpu");
}

test("a worker takes GPUs that no Pod has, gives them back, and says why it finds none", async (t) => {
  const house = await fakeHouse(t, { env, protocol: { endingHoldMs: 20 } });
  const one = (await house.call("POST", "/v1/pods", pod)).json;
  const two = { gpuTypeIds: ["NVIDIA A40"], gpuCount: 2, workersMin: 1, workersMax: 2 };
  const endpoint = await house.makeEndpoint({ template, spec: two });
  const holders = async () => {
    const found = await house.house.store.read(held);
    return found.map(({ holder }) => (holder === one.id ? "pod" : "worker"));
  };
  await until(async () => (await holders()).join() === "pod,worker,worker" || null, "");
  assert.equal((await house.call("POST", "/v1/pods", pod)).json.code, "no_capacity");

  const other = await house.makeEndpoint({ template, spec: two });
  const why = await until(async (id) => {
    const { json } = await house.call("GET", `/v1/why/${id}`);
    return json.code === "no_capacity" ? json : null;
  }, other);
  assert.match(why.sentence, /0 GPUs of the type NVIDIA A40 are free and 2 are asked for/);

  await house.call("DELETE", `/v1/endpoints/${endpoint}`);
  const job = await house.call("POST", `/v2/${other}/runsync`, { input: { n: 1 } });
  assert.deepEqual(job.json.output, { n: 1 }, job.text);
  await house.call("DELETE", `/v1/endpoints/${other}`);
  await until(async () => (await holders()).join() === "pod" || null, "");
});

test("a worker takes the place of spot Pods", async (t) => {
  const house = await fakeHouse(t, { env, protocol: { evictGraceMs: 50 } });
  const spot = { ...pod, gpuCount: 3, interruptible: true };
  const { id } = (await house.call("POST", "/v1/pods", spot)).json;
  const spec = { gpuTypeIds: ["NVIDIA A40"], workersMin: 1, workersMax: 1 };
  await house.makeEndpoint({ template, spec });
  const pods = podsOf(house);
  assert.match((await until(pods.exited, id)).lastStatusChange, /on demand took its place/);
});

test("who names no type of GPU does without one where there is none", async (t) => {
  const house = await fakeHouse(t, { env: { FREEHOLD_VIRTUAL_GPUS: "0" } });
  const named = await house.makeEndpoint({ template, spec: { gpuTypeIds: ["NVIDIA A40"] } });
  const any = await house.makeEndpoint({ template });
  const job = await house.call("POST", `/v2/${any}/runsync`, { input: { n: 1 } });
  assert.equal(job.json.status, "COMPLETED", job.text);
  const run = await house.call("POST", `/v2/${named}/run`, { input: {} });
  const why = (await house.call("GET", `/v1/why/${run.json.id}`)).json;
  assert.equal(why.code, "no_capacity");
  assert.match(why.sentence, /it has no GPU of a type that is asked for/);
});
