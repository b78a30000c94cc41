// Tests of serverless workers and Pods on shared machines: they never share a GPU.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rows, type Tx } from "../../src/store/engine/statement.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 3}' };
const template = { driver: "simulated" as const, dockerStartCmd: ["simulate", "--echo"] };
const pod = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"] };

function* held(): Tx<{ gpu: number; holder: string }[]> {
  return yield* rows("select gpu, holder from held_gpu order by gpu");
}

test("a worker takes and releases GPUs that no Pod holds, and explains why it finds none", async (t) => {
  const service = await simulatedService(t, { env, protocol: { endingHoldMs: 20 } });
  const one = (await service.call("POST", "/v1/pods", pod)).json;
  const two = { gpuTypeIds: ["NVIDIA A40"], gpuCount: 2, workersMin: 1, workersMax: 2 };
  const endpoint = await service.makeEndpoint({ template, spec: two });
  const holders = async () => {
    const found = await service.service.store.read(held);
    return found.map(({ holder }) => (holder === one.id ? "pod" : "worker"));
  };
  await until(async () => (await holders()).join() === "pod,worker,worker" || null, "");
  assert.equal((await service.call("POST", "/v1/pods", pod)).json.code, "no_capacity");

  const other = await service.makeEndpoint({ template, spec: two });
  const why = await until(async (id) => {
    const { json } = await service.call("GET", `/v1/why/${id}`);
    return json.code === "no_capacity" ? json : null;
  }, other);
  assert.match(why.sentence, /0 GPUs of the type NVIDIA A40 are free and 2 are asked for/);
  const throttled = async (id: string) =>
    (await service.call("GET", `/v2/${id}/health`)).json.workers.throttled;
  assert.deepEqual([await throttled(endpoint), await throttled(other)], [0, 1]);

  await service.call("DELETE", `/v1/endpoints/${endpoint}`);
  const job = await service.call("POST", `/v2/${other}/runsync`, { input: { n: 1 } });
  assert.deepEqual(job.json.output, { n: 1 }, job.text);
  await service.call("DELETE", `/v1/endpoints/${other}`);
  await until(async () => (await holders()).join() === "pod" || null, "");
});

test("a worker evicts spot Pods", async (t) => {
  const service = await simulatedService(t, { env, protocol: { evictGraceMs: 50 } });
  const spot = { ...pod, gpuCount: 3, interruptible: true };
  const { id } = (await service.call("POST", "/v1/pods", spot)).json;
  const spec = { gpuTypeIds: ["NVIDIA A40"], workersMin: 1, workersMax: 1 };
  await service.makeEndpoint({ template, spec });
  const pods = podsOf(service);
  assert.match(
    (await until(pods.exited, id)).lastStatusChange,
    /on-demand workload took its place/,
  );
});

test("a workload without a GPU type runs without a GPU where there is none", async (t) => {
  const service = await simulatedService(t, { env: { FREEHOLD_GPUS: "0" } });
  const named = await service.makeEndpoint({ template, spec: { gpuTypeIds: ["NVIDIA A40"] } });
  const any = await service.makeEndpoint({ template });
  const job = await service.call("POST", `/v2/${any}/runsync`, { input: { n: 1 } });
  assert.equal(job.json.status, "COMPLETED", job.text);
  const run = await service.call("POST", `/v2/${named}/run`, { input: {} });
  const why = (await service.call("GET", `/v1/why/${run.json.id}`)).json;
  assert.equal(why.code, "no_capacity");
  assert.match(why.sentence, /it has no GPU of a type that is asked for/);
});
