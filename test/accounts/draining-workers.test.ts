// A worker that drains holds its GPUs until its jobs end, and counts for quotas until then.

import assert from "node:assert/strict";
import { test } from "node:test";
import { change } from "../../src/store/engine/statement.ts";
import { markEnded } from "../../src/transactions/worker/observe.ts";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

const GPU = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], volumeInGb: 0 };

test("a worker that drains counts until its jobs end", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "dev", "Ada");
  const grace = await join(service, "admin", "Grace");
  await grace.call("PATCH", "/v1/quota/member-default", { gpus: 1 });
  const template = { name: "t", imageName: "i", driver: "simulated", isServerless: true };
  const { json } = await ada.call("POST", "/v1/templates", template);
  const endpoint = { name: "e", templateId: json.id, gpuTypeIds: ["NVIDIA A40"], workersMax: 1 };
  const { json: created } = await ada.call("POST", "/v1/endpoints", endpoint);
  const one = `/v1/endpoints/${created.id}`;
  const worker = await service.makeWorker(created.id);
  const { store } = service.service;
  await store.write(holdGpu, worker.id);
  const { json: job } = await ada.call("POST", `/v2/${created.id}/run`, { input: {} });
  assert.equal((await worker.call("job-take")).json.id, job.id);

  // Its job goes on, on its GPU, though the endpoint may have no worker by now.
  await ada.call("PATCH", one, { workersMax: 0 });
  await until(async () => {
    const [draining] = (await ada.call("GET", `${one}/workers`)).json;
    return draining.phase === "draining";
  });
  const refused = await ada.call("POST", "/v1/pods", GPU);
  assert.match(refused.text, /You hold 1 of 1 GPUs/);
  const { members } = (await ada.call("GET", "/v1/quota")).json;
  const own = members.find(({ id }: { id: string }) => id === ada.member.id);
  assert.equal(own.used.gpus, 1);
  await worker.call(`job-done/${job.id}`, "", '{"output": 1}');
  await store.write(markEnded, worker.id, { at: Date.now(), exitCode: 0, signal: null });
  assert.equal((await ada.call("POST", "/v1/pods", GPU)).status, 201);
});

function* holdGpu(workerId: string) {
  yield* change("update worker set gpus = '0', gpu_type_id = 'NVIDIA A40' where id = ?", workerId);
}
